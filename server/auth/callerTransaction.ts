import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { users } from '../db/schema';
import { tokenInvalid } from '../http/problems';
import type { CallerAccount } from './access';

/**
 * Runs work that stores a caller's personal data in a transaction in which they cannot be erased.
 * @throws if they were erased after the request was authorized
 */
export const callerTransaction = <T>(
  db: Db,
  { id, email }: CallerAccount,
  work: (tx: Tx) => PromiseLike<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, id)).for('key share');
    if (user?.email !== email) throw tokenInvalid();
    return work(tx);
  });
