import { eq } from 'drizzle-orm';
import { identityAccounts } from '../schema';
import { accountOfEmail, federatedOf } from '../accounts';
import { countSignUp } from '../loginFailures';
import { emailIn, MAX_DISPLAY_NAME, MAX_PHOTO_URL, storedText, textOf, type Body } from '../body';
import { fail } from '../identityErrors';
import { callerOf, requireRecentLogin, type IdTokenCaller } from '../idTokens';
import { hashPassword, requireStrong } from '../passwords';
import { profileOf } from '../profile';
import type { IdentityCall, Service } from '../service';
import { endSessions, openSession, tokensOf } from '../sessions';

type Changes = Partial<typeof identityAccounts.$inferInsert>;

const FORGETTABLE: Record<string, Changes> = { DISPLAY_NAME: { displayName: null }, PHOTO_URL: { photoUrl: null } };

function profileChanges(body: Body): Changes {
  const forgotten = Array.isArray(body.deleteAttribute) ? body.deleteAttribute : [];
  return Object.assign(
    { displayName: storedText(body, 'displayName', MAX_DISPLAY_NAME) },
    { photoUrl: storedText(body, 'photoUrl', MAX_PHOTO_URL) },
    ...forgotten.map((name) => FORGETTABLE[String(name)] ?? fail('OPERATION_NOT_ALLOWED')),
  ) as Changes;
}

async function emailChange(service: Service, body: Body, network: string, caller: IdTokenCaller): Promise<Changes> {
  const email = textOf(body, 'email') ? emailIn(service, body) : caller.account.email;
  if (email === null || email === caller.account.email) return {};
  requireRecentLogin(service, caller);
  await countSignUp(service, network);
  if (await accountOfEmail(service.db, email)) fail('EMAIL_EXISTS');
  return { email, emailVerified: false };
}

async function passwordChange(service: Service, body: Body, caller: IdTokenCaller): Promise<Changes> {
  const password = textOf(body, 'password');
  if (!password) return {};
  await requireStrong(service, password);
  requireRecentLogin(service, caller);
  return { passwordHash: await hashPassword(password, service.passwordCost) };
}

function takenMeanwhile(error: Error & { cause?: { code?: string } }): never {
  if (error.cause?.code === '23505') fail('EMAIL_EXISTS');
  throw error;
}

/** A new password or address ends every session but the one that is opened in its place. */
function store(service: Service, caller: IdTokenCaller, changes: Changes) {
  const now = service.now();
  const { localId } = caller.account;
  const ends = Boolean(changes.passwordHash ?? changes.email);
  const provider = changes.passwordHash ? 'password' : caller.provider;
  return service.db.transaction(async (tx) => {
    const fields = ends ? { ...changes, validSince: now } : { ...changes, localId };
    const [account] = await tx
      .update(identityAccounts)
      .set(fields)
      .where(eq(identityAccounts.localId, localId))
      .returning()
      .catch(takenMeanwhile);
    if (!account) fail('USER_NOT_FOUND');
    if (!ends) return { account };
    await endSessions(tx, localId, now);
    await service.endAppSessions?.(tx, localId, now);
    return { account, session: await openSession(tx, { account, provider, authTime: caller.authTime }, now) };
  });
}

const REFUSED = ['customAttributes', 'disableUser', 'deleteProvider', 'linkProviderUserInfo', 'mfa', 'localId'];

export const update: IdentityCall = async (service, body, network, report) => {
  if (textOf(body, 'oobCode')) fail('INVALID_OOB_CODE');
  const idToken = textOf(body, 'idToken') || fail('INVALID_REQ_TYPE : Unsupported request parameters.');
  if (REFUSED.some((field) => body[field] !== undefined)) fail('OPERATION_NOT_ALLOWED');
  const caller = await callerOf(service, idToken);
  const changes = {
    ...profileChanges(body),
    ...(await emailChange(service, body, network, caller)),
    ...(await passwordChange(service, body, caller)),
  };
  const { account, session } = await store(service, caller, changes);
  if (session) report('session ended', { userId: account.localId });
  return {
    kind: 'identitytoolkit#SetAccountInfoResponse',
    ...profileOf(service, account, await federatedOf(service.db, account.localId)),
    ...(session && (await tokensOf(service, session))),
  };
};
