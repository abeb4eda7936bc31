import { and, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { identityAccounts, identityFederated } from '../schema';
import { insertAccount, type Account } from '../accounts';
import { throwIdentityError } from '../identityErrors';
import { GOOGLE_PROVIDER_ID, type Tx } from '../service';
import { endSessions } from '../sessions';
import type { GooglePerson } from './googleCredential';

export interface GoogleSignIn {
  account: Account;
  isNewUser: boolean;
}

async function findLinkedAccount(tx: Tx, { rawId }: GooglePerson): Promise<Account | undefined> {
  // PostgreSQL allows no schema in "for update of", so the table needs an alias.
  const account = alias(identityAccounts, 'account');
  const [found] = await tx
    .select({ account })
    .from(identityFederated)
    .innerJoin(account, eq(account.localId, identityFederated.localId))
    .where(and(eq(identityFederated.providerId, GOOGLE_PROVIDER_ID), eq(identityFederated.rawId, rawId)))
    .for('update', { of: account });
  return found?.account;
}

/**
 * Anyone could have created this account with another person's email, because the email was never verified. Google has
 * now verified that it belongs to the person who signs in. So the account loses everything with which its creator could
 * still sign in: its password, its sessions and its other Google identities.
 * @returns the columns that remove the password
 */
async function dropUnverifiedOwner(tx: Tx, { localId }: Account, now: Date) {
  await endSessions(tx, localId, now);
  await tx.delete(identityFederated).where(eq(identityFederated.localId, localId));
  return { passwordHash: null, validSince: now };
}

async function claimAccountWithEmail(
  tx: Tx,
  { email, displayName }: GooglePerson,
  now: Date,
): Promise<Account | undefined> {
  const [found] = await tx.select().from(identityAccounts).where(eq(identityAccounts.email, email)).for('update');
  if (!found) return undefined;
  const ownerReset = found.emailVerified ? {} : await dropUnverifiedOwner(tx, found, now);
  const [account] = await tx
    .update(identityAccounts)
    .set({ displayName, emailVerified: true, ...ownerReset })
    .where(eq(identityAccounts.localId, found.localId))
    .returning();
  return account;
}

async function findOrCreateAccount(tx: Tx, person: GooglePerson, now: Date): Promise<GoogleSignIn> {
  const existing = (await findLinkedAccount(tx, person)) ?? (await claimAccountWithEmail(tx, person, now));
  if (existing) return { account: existing, isNewUser: false };
  const { email, displayName } = person;
  const created = await insertAccount(tx, { email, displayName, emailVerified: true }, now);
  if (created) return { account: created, isNewUser: true };
  const account = (await claimAccountWithEmail(tx, person, now)) ?? throwIdentityError('INTERNAL_ERROR');
  return { account, isNewUser: false };
}

/** Links the Google user to the account with their email, as Firebase does. */
export async function linkGoogle(tx: Tx, person: GooglePerson, now: Date): Promise<GoogleSignIn> {
  const linked = await findOrCreateAccount(tx, person, now);
  const { rawId, email, displayName } = person;
  await tx
    .insert(identityFederated)
    .values({ providerId: GOOGLE_PROVIDER_ID, rawId, localId: linked.account.localId, email, displayName })
    .onConflictDoUpdate({
      target: [identityFederated.providerId, identityFederated.rawId],
      set: { email, displayName },
    });
  return linked;
}
