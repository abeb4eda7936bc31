import { and, eq } from 'drizzle-orm';
import { identityAccounts } from '../../../db/schema';
import { accountOfEmail } from '../accounts';
import { countSignIn } from '../attempts';
import { emailIn, textOf } from '../body';
import { fail } from '../errors';
import { passwordMatches } from '../passwords';
import type { Call, IdentityServiceDeps } from '../service';
import { openSession, tokensOf } from '../sessions';

/** Holds only if the password that was checked is still the account's. */
function startSession(service: IdentityServiceDeps, localId: string, passwordHash: string) {
  const now = service.now();
  const same = and(eq(identityAccounts.localId, localId), eq(identityAccounts.passwordHash, passwordHash));
  return service.db.transaction(async (tx) => {
    const [account] = await tx.update(identityAccounts).set({ lastLoginAt: now }).where(same).returning();
    if (!account) fail('INVALID_LOGIN_CREDENTIALS');
    if (account.disabled) fail('USER_DISABLED');
    return openSession(tx, { account, provider: 'password', authTime: now }, now);
  });
}

export const signInWithPassword: Call = async (service, body, ip) => {
  if (textOf(body, 'email') === undefined) fail('MISSING_EMAIL');
  const email = emailIn(body);
  const password = textOf(body, 'password') || fail('MISSING_PASSWORD');

  const attempt = await countSignIn(service, ip, email);
  const found = await accountOfEmail(service.db, email);
  const matches = await passwordMatches(password, found?.passwordHash);
  if (!matches || !found?.passwordHash) fail('INVALID_LOGIN_CREDENTIALS');
  const session = await startSession(service, found.localId, found.passwordHash);
  await attempt.succeeded();
  return {
    kind: 'identitytoolkit#VerifyPasswordResponse',
    registered: true,
    localId: session.account.localId,
    email,
    displayName: session.account.displayName ?? '',
    ...(await tokensOf(service, session)),
  };
};
