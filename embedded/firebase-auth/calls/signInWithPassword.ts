import { and, eq } from 'drizzle-orm';
import { identityAccounts } from '../schema';
import { accountOfEmail, accountOfId, type Account } from '../accounts';
import { countSignIn } from '../loginFailures';
import { emailIn, textOf } from '../body';
import { codeOf, fail, IdentityError } from '../identityErrors';
import { hashPassword, isCheaper, passwordMatches } from '../passwords';
import type { IdentityCall, Service } from '../service';
import { openSession, tokensOf } from '../sessions';

/** An older hash is replaced while the password is at hand. A sign-in must not fail because no turn is free for that. */
async function replacement({ passwordCost }: Service, password: string, stored: string) {
  if (!isCheaper(stored, passwordCost)) return {};
  return hashPassword(password, passwordCost).then(
    (passwordHash) => ({ passwordHash }),
    () => ({}),
  );
}

/** @returns undefined when the hash that was checked is no longer the account's */
async function startSession(service: Service, localId: string, password: string, passwordHash: string) {
  const renewed = await replacement(service, password, passwordHash);
  const now = service.now();
  const same = and(eq(identityAccounts.localId, localId), eq(identityAccounts.passwordHash, passwordHash));
  return service.db.transaction(async (tx) => {
    const [account] = await tx
      .update(identityAccounts)
      .set({ lastLoginAt: now, ...renewed })
      .where(same)
      .returning();
    if (!account) return undefined;
    if (account.disabled) fail('USER_DISABLED');
    return openSession(tx, { account, provider: 'password' }, now);
  });
}

async function checked(service: Service, found: Account | undefined, password: string) {
  const matches = await passwordMatches(password, found?.passwordHash, service.passwordCost);
  if (!matches || !found?.passwordHash) fail('INVALID_LOGIN_CREDENTIALS');
  return startSession(service, found.localId, password, found.passwordHash);
}

/** Two sign-ins at once may both want to replace an old hash: the second checks the password against the new one. */
async function sessionFor(service: Service, found: Account | undefined, password: string) {
  const session = await checked(service, found, password);
  if (session) return session;
  const again = found && (await accountOfId(service.db, found.localId));
  return (await checked(service, again, password)) ?? fail('INVALID_LOGIN_CREDENTIALS');
}

export const signInWithPassword: IdentityCall = async (service, body, network, report) => {
  if (textOf(body, 'email') === undefined) fail('MISSING_EMAIL');
  const email = emailIn(service, body);
  const password = textOf(body, 'password') || fail('MISSING_PASSWORD');

  const reportRefusal = (error: Error, userId?: string) => {
    if (error instanceof IdentityError) report('sign-in refused', { userId, code: codeOf(error) });
    throw error;
  };
  const attempt = await countSignIn(service, network, email).catch(reportRefusal);
  const found = await accountOfEmail(service.db, email);
  const session = await sessionFor(service, found, password).catch(async (error: Error) => {
    // A server too busy to check a password has not seen a wrong one.
    if (error instanceof IdentityError && error.status === 503) await attempt.undo();
    return reportRefusal(error, found?.localId);
  });
  await attempt.undo();
  return {
    kind: 'identitytoolkit#VerifyPasswordResponse',
    registered: true,
    localId: session.account.localId,
    email,
    displayName: session.account.displayName ?? '',
    ...(await tokensOf(service, session)),
  };
};
