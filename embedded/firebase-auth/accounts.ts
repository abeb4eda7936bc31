import { randomInt } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import { identityAccounts, identityFederated } from './schema';
import { hashPassword } from './passwords';
import type { IdentityService, Tx } from './service';

export type Account = typeof identityAccounts.$inferSelect;
export type FederatedIdentity = typeof identityFederated.$inferSelect;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const createLocalId = () => Array.from({ length: 28 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export async function findAccountByEmail(db: Tx, email: string): Promise<Account | undefined> {
  const [account] = await db.select().from(identityAccounts).where(eq(identityAccounts.email, email));
  return account;
}

export async function findAccountById(db: Tx, localId: string): Promise<Account | undefined> {
  const [account] = await db.select().from(identityAccounts).where(eq(identityAccounts.localId, localId));
  return account;
}

export function listFederatedIdentities(db: Tx, localId: string): Promise<FederatedIdentity[]> {
  return db.select().from(identityFederated).where(eq(identityFederated.localId, localId));
}

/** @returns undefined when the email is already taken, even by a concurrent insert */
export async function insertAccount(
  db: Tx,
  fields: Omit<typeof identityAccounts.$inferInsert, 'localId' | 'createdAt' | 'validSince' | 'lastLoginAt'>,
  now: Date,
): Promise<Account | undefined> {
  const [account] = await db
    .insert(identityAccounts)
    .values({ ...fields, localId: createLocalId(), createdAt: now, validSince: now, lastLoginAt: now })
    .onConflictDoNothing()
    .returning();
  return account;
}

export interface NewAccount {
  email: string;
  password: string;
  displayName: string;
  emailVerified: boolean;
}

export async function ensureAccount(
  { db, now, normalizeEmail, passwordCost }: IdentityService,
  { password, ...account }: NewAccount,
): Promise<string> {
  const email = normalizeEmail(account.email);
  if (!email) throw new Error(`An account needs a valid email, not "${account.email}".`);
  const found =
    (await findAccountByEmail(db, email)) ??
    (await insertAccount(db, { ...account, email, passwordHash: await hashPassword(password, passwordCost) }, now())) ??
    (await findAccountByEmail(db, email));
  return found!.localId;
}

/**
 * After the demo, the emails of its stand-in for Google no longer count as verified.
 * @returns the ids of these accounts
 */
export async function unverifyGoogleAccounts(db: Tx): Promise<string[]> {
  const linked = db.select({ localId: identityFederated.localId }).from(identityFederated);
  const { localId } = identityAccounts;
  const rows = await db
    .update(identityAccounts)
    .set({ emailVerified: false })
    .where(inArray(localId, linked))
    .returning({ localId });
  return rows.map((row) => row.localId);
}

/** A cascading foreign key deletes the sessions of these accounts too. */
export async function removeAccounts(db: Tx, emails: string[]): Promise<void> {
  await db.delete(identityAccounts).where(inArray(identityAccounts.email, emails));
}
