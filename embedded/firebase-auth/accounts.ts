import { randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../server/db/database';
import { identityAccounts, identityFederated } from './schema';

export type Account = typeof identityAccounts.$inferSelect;
export type Federated = typeof identityFederated.$inferSelect;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const newLocalId = () => Array.from({ length: 28 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export async function accountOfEmail(db: Db | Tx, email: string): Promise<Account | undefined> {
  const [account] = await db.select().from(identityAccounts).where(eq(identityAccounts.email, email));
  return account;
}

export async function accountOfId(db: Db | Tx, localId: string): Promise<Account | undefined> {
  const [account] = await db.select().from(identityAccounts).where(eq(identityAccounts.localId, localId));
  return account;
}

export function federatedOf(db: Db | Tx, localId: string): Promise<Federated[]> {
  return db.select().from(identityFederated).where(eq(identityFederated.localId, localId));
}

/** Undefined when the address is taken, however close the race. */
export async function insertAccount(
  db: Db | Tx,
  fields: Omit<typeof identityAccounts.$inferInsert, 'localId' | 'createdAt' | 'validSince' | 'lastLoginAt'>,
  now: Date,
): Promise<Account | undefined> {
  const [account] = await db
    .insert(identityAccounts)
    .values({ ...fields, localId: newLocalId(), createdAt: now, validSince: now, lastLoginAt: now })
    .onConflictDoNothing()
    .returning();
  return account;
}
