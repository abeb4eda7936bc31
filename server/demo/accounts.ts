import { inArray } from 'drizzle-orm';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../src/contract/demo';
import { removeAccounts, unverifyGoogleAccounts, type FirebaseAuth } from '../../embedded/firebase-auth';
import type { Db } from '../db/database';
import { hasStoredAccounts } from '../db/embeddedServices';
import { users } from '../db/schema';

/** Creates the demo accounts and a user for each, as if each account had signed in once. */
export async function seedDemoAccounts(db: Db, identity: FirebaseAuth): Promise<void> {
  let hash: Promise<string> | undefined;
  const hashOnce = (password: string) => (hash ??= identity.hashPassword(password));
  for (const { email, displayName, admin } of DEMO_ACCOUNTS) {
    const account = { email, displayName, password: DEMO_PASSWORD, emailVerified: true };
    const id = await identity.ensureAccount(account, hashOnce);
    const user = { email, displayName, emailVerified: true, role: admin ? ('admin' as const) : ('member' as const) };
    await db
      .insert(users)
      .values({ ...user, id })
      .onConflictDoNothing();
  }
}

/**
 * Removes the accounts and ends their sessions, because everyone knows their password. The accounts' orders are kept.
 * Emails that only the stand-in for Google has verified are no longer verified.
 */
export async function clearDemoAccounts(db: Db): Promise<void> {
  const emails = DEMO_ACCOUNTS.map(({ email }) => email);
  if (await hasStoredAccounts(db.$client)) {
    await removeAccounts(db, emails);
    const unverifiedIds = await unverifyGoogleAccounts(db);
    await db.update(users).set({ emailVerified: false }).where(inArray(users.id, unverifiedIds));
  }
  await db
    .update(users)
    .set({ role: 'member', email: null, sessionsValidFrom: new Date() })
    .where(inArray(users.email, emails));
}
