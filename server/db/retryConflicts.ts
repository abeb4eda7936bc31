const DEADLOCK_OR_SERIALIZATION = /^40(001|P01)$/;
const MAX_RETRIES = 3;

interface DatabaseError {
  code?: string;
  constraint?: string;
}

/** @returns PostgreSQL's own error, which Drizzle may have wrapped in another */
export function databaseErrorOf(error: unknown): DatabaseError {
  const { code, cause } = error as DatabaseError & { cause?: unknown };
  return code === undefined && cause ? databaseErrorOf(cause) : (error as DatabaseError);
}

/** Retries work that PostgreSQL aborted with a deadlock or a serialization failure. */
export async function withTransactionRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await work();
    } catch (error) {
      if (retries >= MAX_RETRIES || !DEADLOCK_OR_SERIALIZATION.test(databaseErrorOf(error).code ?? '')) throw error;
    }
  }
}
