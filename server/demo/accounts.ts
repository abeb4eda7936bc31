import { inArray } from 'drizzle-orm';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../src/contract/demo';
import { removeAccounts, unverifyGoogleAccounts, type FirebaseAuth } from '../../embedded/firebase-auth';
import type { Db } from '../db/database';
import { hasStoredAccounts } from '../db/embeddedServices';
import { findSecret, generateSecret, getOrCreateSecret } from '../db/generatedSecrets';
import { secrets, users } from '../db/schema';

export type DemoAccount = (typeof DEMO_ACCOUNTS)[number] & { password: string };

const secretNameOf = (email: string) => `password of ${email}`;
const PASSWORD_BYTES = 12;

/**
 * A demo that others can reach gets random passwords, because everyone knows the usual one. It keeps them when only this
 * machine can reach it again.
 */
export function readDemoAccounts(db: Db, exposed: boolean): Promise<DemoAccount[]> {
  return Promise.all(
    DEMO_ACCOUNTS.map(async (account) => {
      const name = secretNameOf(account.email);
      const secret = exposed
        ? await getOrCreateSecret(db, name, generateSecret(PASSWORD_BYTES))
        : await findSecret(db, name);
      return { ...account, password: secret ?? DEMO_PASSWORD };
    }),
  );
}

/** Creates the demo accounts and a user for each, as if each account had signed in once. */
export async function seedDemoAccounts(db: Db, identity: FirebaseAuth, accounts: DemoAccount[]): Promise<void> {
  const seedAccount = async ({ email, displayName, admin, password }: DemoAccount) => {
    const id = await identity.ensureAccount({ email, displayName, password, emailVerified: true });
    if (password !== DEMO_PASSWORD) await identity.replacePassword(id, DEMO_PASSWORD, password);
    const role = admin ? 'admin' : 'member';
    await db.insert(users).values({ id, email, displayName, emailVerified: true, role }).onConflictDoNothing();
  };
  await Promise.all(accounts.map(seedAccount));
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
  await db.delete(secrets).where(inArray(secrets.name, emails.map(secretNameOf)));
  await db
    .update(users)
    .set({ role: 'member', email: null, sessionsValidFrom: new Date() })
    .where(inArray(users.email, emails));
}
