import { eq, inArray } from 'drizzle-orm';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../src/contract/demo';
import { ensureAccount, hashPassword } from '../../embedded/firebase-auth';
import type { Db } from '../db/database';
import { identityAccounts, users } from '../db/schema';

/** The demo's people, with what the shop would know of them had they signed in once. */
export async function seedDemoAccounts(db: Db, passwordCost?: number): Promise<void> {
  let hash: Promise<string> | undefined;
  const hashOnce = (password: string) => (hash ??= hashPassword(password, passwordCost));
  for (const { email, displayName, admin } of DEMO_ACCOUNTS) {
    await ensureAccount(db, { email, displayName, password: DEMO_PASSWORD, emailVerified: true }, hashOnce);
    const [account] = await db
      .select({ id: identityAccounts.localId })
      .from(identityAccounts)
      .where(eq(identityAccounts.email, email));
    const user = { email, displayName, emailVerified: true, role: admin ? ('admin' as const) : ('member' as const) };
    await db
      .insert(users)
      .values({ ...user, id: account!.id })
      .onConflictDoNothing();
  }
}

/** Nobody signs in with a password that everybody knows, or stays signed in. What the demo's people ordered stays. */
export async function clearDemoAccounts(db: Db): Promise<void> {
  const emails = DEMO_ACCOUNTS.map(({ email }) => email);
  await db.delete(identityAccounts).where(inArray(identityAccounts.email, emails));
  await db
    .update(users)
    .set({ role: 'member', email: null, sessionsValidFrom: new Date() })
    .where(inArray(users.email, emails));
}
