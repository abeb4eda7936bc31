import type { SQL } from 'drizzle-orm';

/** One inconsistency: its name, the id of the row or intent, and a sentence for the operator. */
export interface Finding {
  name: string;
  subject: string;
  detail: string;
}

/** A query whose rows are findings. Each row has a `subject` and the values that the sentence needs. */
export interface Check {
  name: string;
  query: SQL;
  describe: (row: Record<string, string>) => string;
}
