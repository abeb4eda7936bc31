import { and, eq } from 'drizzle-orm';
import { identityAccounts, identityFederated } from '../schema';
import { insertAccount, type Account } from '../accounts';
import { fail } from '../identityErrors';
import { GOOGLE, type Tx } from '../service';
import { endSessions } from '../sessions';
import type { GooglePerson } from './credential';

export interface Linked {
  account: Account;
  isNewUser: boolean;
}

async function knownPerson(tx: Tx, { rawId }: GooglePerson): Promise<Account | undefined> {
  const [found] = await tx
    .select({ account: identityAccounts })
    .from(identityFederated)
    .innerJoin(identityAccounts, eq(identityAccounts.localId, identityFederated.localId))
    .where(and(eq(identityFederated.providerId, GOOGLE), eq(identityFederated.rawId, rawId)))
    .for('update', { of: identityAccounts });
  return found?.account;
}

/** Whoever proves the address gets the account, and whoever never did loses the password and every session. */
async function takeOver(tx: Tx, { localId }: Account, now: Date) {
  await endSessions(tx, localId, now);
  await tx.delete(identityFederated).where(eq(identityFederated.localId, localId));
  return { passwordHash: null, validSince: now };
}

async function sameAddress(tx: Tx, { email, displayName }: GooglePerson, now: Date): Promise<Account | undefined> {
  const [found] = await tx.select().from(identityAccounts).where(eq(identityAccounts.email, email)).for('update');
  if (!found) return undefined;
  const dropped = found.emailVerified ? {} : await takeOver(tx, found, now);
  const [account] = await tx
    .update(identityAccounts)
    .set({ displayName, photoUrl: null, emailVerified: true, ...dropped })
    .where(eq(identityAccounts.localId, found.localId))
    .returning();
  return account;
}

async function accountFor(tx: Tx, person: GooglePerson, now: Date): Promise<Linked> {
  const known = (await knownPerson(tx, person)) ?? (await sameAddress(tx, person, now));
  if (known) return { account: known, isNewUser: false };
  const { email, displayName } = person;
  const made = await insertAccount(tx, { email, displayName, emailVerified: true }, now);
  if (made) return { account: made, isNewUser: true };
  const account = (await sameAddress(tx, person, now)) ?? fail('INTERNAL_ERROR');
  return { account, isNewUser: false };
}

/** One account for one address, as Firebase has it. */
export async function linkGoogle(tx: Tx, person: GooglePerson, now: Date): Promise<Linked> {
  const linked = await accountFor(tx, person, now);
  const { rawId, email, displayName } = person;
  await tx
    .insert(identityFederated)
    .values({ providerId: GOOGLE, rawId, localId: linked.account.localId, email, displayName })
    .onConflictDoUpdate({
      target: [identityFederated.providerId, identityFederated.rawId],
      set: { email, displayName },
    });
  return linked;
}
