import { and, eq } from 'drizzle-orm';
import { identityAccounts } from '../schema';
import { findAccountByEmail, findAccountById, type Account } from '../accounts';
import { enforceSignInLimit } from '../limits';
import { readEmail, readText } from '../requestBody';
import { errorCodeOf, throwIdentityError, IdentityError } from '../identityErrors';
import { hashPassword, isOutdatedHash, passwordMatches } from '../passwords';
import type { IdentityCallHandler, IdentityService } from '../service';
import { openSession, issueTokens } from '../sessions';

/**
 * Hashes the password again if its stored hash has a lower cost than new hashes. If the hashing queue is full, keeps
 * the old hash, so that the sign-in still succeeds.
 */
async function rehashIfOutdated({ passwordCost }: IdentityService, password: string, stored: string) {
  if (!isOutdatedHash(stored, passwordCost)) return {};
  return hashPassword(password, passwordCost).then(
    (passwordHash) => ({ passwordHash }),
    () => ({}),
  );
}

/** @returns undefined if the account's hash has changed since the password was checked against it */
async function startSessionIfHashUnchanged(
  service: IdentityService,
  localId: string,
  password: string,
  passwordHash: string,
) {
  const rehashed = await rehashIfOutdated(service, password, passwordHash);
  const now = service.now();
  const sameAccountAndHash = and(
    eq(identityAccounts.localId, localId),
    eq(identityAccounts.passwordHash, passwordHash),
  );
  return service.db.transaction(async (tx) => {
    const [account] = await tx
      .update(identityAccounts)
      .set({ lastLoginAt: now, ...rehashed })
      .where(sameAccountAndHash)
      .returning();
    if (!account) return undefined;
    if (account.disabled) throwIdentityError('USER_DISABLED');
    return openSession(tx, { account, provider: 'password' }, now);
  });
}

async function checkPasswordAndStartSession(service: IdentityService, found: Account | undefined, password: string) {
  const matches = await passwordMatches(password, found?.passwordHash, service.passwordCost);
  if (!matches || !found?.passwordHash) throwIdentityError('INVALID_LOGIN_CREDENTIALS');
  return startSessionIfHashUnchanged(service, found.localId, password, found.passwordHash);
}

/** Retries once, because a concurrent sign-in may have replaced the outdated hash that was checked. */
async function signInWithOneRetry(service: IdentityService, found: Account | undefined, password: string) {
  const session = await checkPasswordAndStartSession(service, found, password);
  if (session) return session;
  const reread = found && (await findAccountById(service.db, found.localId));
  return (
    (await checkPasswordAndStartSession(service, reread, password)) ?? throwIdentityError('INVALID_LOGIN_CREDENTIALS')
  );
}

export const signInWithPassword: IdentityCallHandler = async (service, body, network, report) => {
  if (readText(body, 'email') === undefined) throwIdentityError('MISSING_EMAIL');
  const email = readEmail(service, body);
  const password = readText(body, 'password') || throwIdentityError('MISSING_PASSWORD');

  const reportRefusal = (error: Error, userId?: string) => {
    if (error instanceof IdentityError) report('sign-in refused', { userId, code: errorCodeOf(error) });
    throw error;
  };
  const countedLogin = await enforceSignInLimit(service, network, email).catch(reportRefusal);
  const found = await findAccountByEmail(service.db, email);
  const session = await signInWithOneRetry(service, found, password).catch(async (error: Error) => {
    // The hashing queue was full, so the password was not checked. This is not a failed login.
    if (error instanceof IdentityError && error.status === 503) await countedLogin.undo();
    return reportRefusal(error, found?.localId);
  });
  await countedLogin.undo();
  return {
    kind: 'identitytoolkit#VerifyPasswordResponse',
    registered: true,
    localId: session.account.localId,
    email,
    displayName: session.account.displayName ?? '',
    ...(await issueTokens(service, session)),
  };
};
