import { and, eq } from 'drizzle-orm';
import { identityAccounts } from '../schema';
import { findAccountByEmail, type Account } from '../accounts';
import { enforceSignInLimit } from '../limits';
import { readEmail, readText } from '../requestBody';
import { errorCodeOf, throwIdentityError, IdentityError } from '../identityErrors';
import { passwordMatches } from '../passwords';
import type { IdentityCallHandler, IdentityService } from '../service';
import { openSession, issueTokens } from '../sessions';

async function checkPasswordAndStartSession(service: IdentityService, found: Account | undefined, password: string) {
  const matches = await passwordMatches(password, found?.passwordHash, service.passwordCost);
  if (!matches || !found?.passwordHash) throwIdentityError('INVALID_LOGIN_CREDENTIALS');
  const { localId, passwordHash } = found;
  const now = service.now();
  return service.db.transaction(async (tx) => {
    const [account] = await tx
      .update(identityAccounts)
      .set({ lastLoginAt: now })
      .where(and(eq(identityAccounts.localId, localId), eq(identityAccounts.passwordHash, passwordHash)))
      .returning();
    if (!account) throwIdentityError('INVALID_LOGIN_CREDENTIALS');
    return openSession(tx, { account, provider: 'password' }, now);
  });
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
  const session = await checkPasswordAndStartSession(service, found, password).catch(async (error: Error) => {
    // The hashing queue was full, so the password was not checked. This is not a failed login.
    if (error instanceof IdentityError && error.status === 503) await countedLogin.undo();
    return reportRefusal(error, found?.localId);
  });
  await countedLogin.undo();
  return {
    localId: session.account.localId,
    email,
    displayName: session.account.displayName ?? '',
    ...(await issueTokens(service, session)),
  };
};
