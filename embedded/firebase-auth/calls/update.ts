import { eq } from 'drizzle-orm';
import { identityAccounts } from '../schema';
import { findAccountByEmail, listFederatedIdentities } from '../accounts';
import { enforceSignUpLimit } from '../limits';
import { readEmail, MAX_DISPLAY_NAME, readStorableText, readText, type Body } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import { authenticateCaller, requireRecentLogin, type IdTokenCaller } from '../idTokens';
import { hashPassword, requireStrongPassword } from '../passwords';
import { buildProfile } from '../profile';
import type { IdentityCallHandler, IdentityService } from '../service';
import { endSessions, openSession, issueTokens } from '../sessions';
import { verifyEmail } from './verifyEmail';

type Changes = Partial<typeof identityAccounts.$inferInsert>;

async function readEmailChange(
  service: IdentityService,
  body: Body,
  network: string,
  caller: IdTokenCaller,
): Promise<Changes> {
  const email = readText(body, 'email') ? readEmail(service, body) : caller.account.email;
  if (email === null || email === caller.account.email) return {};
  requireRecentLogin(service, caller);
  await enforceSignUpLimit(service, network);
  if (await findAccountByEmail(service.db, email)) throwIdentityError('EMAIL_EXISTS');
  return { email, emailVerified: false };
}

async function readPasswordChange(service: IdentityService, body: Body, caller: IdTokenCaller): Promise<Changes> {
  const password = readText(body, 'password');
  if (!password) return {};
  await requireStrongPassword(service, password);
  requireRecentLogin(service, caller);
  return { passwordHash: await hashPassword(password, service.passwordCost) };
}

function mapUniqueViolation(error: Error & { cause?: { code?: string } }): never {
  if (error.cause?.code === '23505') throwIdentityError('EMAIL_EXISTS');
  throw error;
}

/** A new password or email ends all sessions of the account and opens a new one for the caller. */
function storeChanges(service: IdentityService, caller: IdTokenCaller, changes: Changes) {
  const now = service.now();
  const { localId } = caller.account;
  const endsSessions = Boolean(changes.passwordHash ?? changes.email);
  const provider = changes.passwordHash ? 'password' : caller.provider;
  return service.db.transaction(async (tx) => {
    const columns = endsSessions ? { ...changes, validSince: now } : { ...changes, localId };
    const [account] = await tx
      .update(identityAccounts)
      .set(columns)
      .where(eq(identityAccounts.localId, localId))
      .returning()
      .catch(mapUniqueViolation);
    if (!account) throwIdentityError('USER_NOT_FOUND');
    if (!endsSessions) return { account };
    await endSessions(tx, localId, now);
    await service.endAppSessions?.(tx, localId, now);
    return { account, session: await openSession(tx, { account, provider, authTime: caller.authTime }, now) };
  });
}

export const update: IdentityCallHandler = async (service, body, network, report) => {
  const oobCode = readText(body, 'oobCode');
  if (oobCode) return verifyEmail(service, oobCode);
  const idToken = readText(body, 'idToken') || throwIdentityError('INVALID_REQ_TYPE : Unsupported request parameters.');
  const caller = await authenticateCaller(service, idToken);
  const changes = {
    displayName: readStorableText(body, 'displayName', MAX_DISPLAY_NAME),
    ...(await readEmailChange(service, body, network, caller)),
    ...(await readPasswordChange(service, body, caller)),
  };
  const { account, session } = await storeChanges(service, caller, changes);
  if (session) report('session ended', { userId: account.localId });
  return {
    ...buildProfile(account, await listFederatedIdentities(service.db, account.localId)),
    ...(session && (await issueTokens(service, session))),
  };
};
