const DEADLOCK_OR_SERIALIZATION = /^40(001|P01)$/;
const TRIES = 3;

interface DatabaseError {
  code?: string;
  constraint?: string;
}

/** What PostgreSQL said, whether or not something wrapped it on the way. */
export function databaseErrorOf(error: unknown): DatabaseError {
  const { code, cause } = error as DatabaseError & { cause?: unknown };
  return code === undefined && cause ? databaseErrorOf(cause) : (error as DatabaseError);
}

/** Runs again what PostgreSQL undid only because of its company. */
export async function withTransactionRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries > TRIES || !DEADLOCK_OR_SERIALIZATION.test(databaseErrorOf(error).code ?? '')) throw error;
    }
  }
}
