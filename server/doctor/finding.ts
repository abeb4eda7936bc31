import type { SQL } from 'drizzle-orm';

/** An inconsistency. `subject` is the id of a row or intent, and `detail` is a sentence for the operator. */
export interface Finding {
  name: string;
  subject: string;
  detail: string;
}

/** A query that returns a row for each inconsistency. A row has a `subject` and the values that `describe` needs. */
export interface Check {
  name: string;
  query: SQL;
  describe: (row: Record<string, string>) => string;
}
