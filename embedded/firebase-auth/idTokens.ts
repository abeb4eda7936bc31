import { decodeJwt, SignJWT } from 'jose';
import { findAccountById, listFederatedIdentities, type Account } from './accounts';
import { throwIdentityError } from './identityErrors';
import { getSigningKey, verifyOwnToken } from './signingKeys';
import { buildIdentitiesClaim } from './profile';
import { PROJECT_ID, type Db, type IdentityService } from './service';

export const ID_TOKEN_SECONDS = 3600;
const RECENT_LOGIN_SECONDS = 300;
const ISSUER = `https://securetoken.google.com/${PROJECT_ID}`;

export const toUnixSeconds = (at: Date) => Math.floor(at.getTime() / 1000);

export async function signIdToken(service: IdentityService, account: Account, provider: string, authTime: Date) {
  const now = service.now();
  const { kid, key } = await getSigningKey(service);
  const federated = await listFederatedIdentities(service.db, account.localId);
  const claims = {
    ...(account.displayName && { name: account.displayName }),
    auth_time: toUnixSeconds(authTime),
    user_id: account.localId,
    email: account.email,
    email_verified: account.emailVerified,
    firebase: { identities: buildIdentitiesClaim(account, federated), sign_in_provider: provider },
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(PROJECT_ID)
    .setSubject(account.localId)
    .setIssuedAt(toUnixSeconds(now))
    .setExpirationTime(toUnixSeconds(now) + ID_TOKEN_SECONDS)
    .sign(key);
}

export interface IdTokenCaller {
  account: Account;
  provider: string;
  authTime: Date;
}

const verifyIdToken = async (service: IdentityService, token: string) =>
  (await verifyOwnToken(service, token, { issuer: ISSUER, audience: PROJECT_ID, typ: 'JWT' })) ??
  throwIdentityError('INVALID_ID_TOKEN');

export async function authenticateCaller(service: IdentityService, token: string | undefined): Promise<IdTokenCaller> {
  const { sub, iat, auth_time, firebase } = await verifyIdToken(
    service,
    token || throwIdentityError('MISSING_ID_TOKEN'),
  );
  const account = (sub && (await findAccountById(service.db, sub))) || throwIdentityError('USER_NOT_FOUND');
  if (Number(iat) < toUnixSeconds(account.validSince)) throwIdentityError('TOKEN_EXPIRED');
  const { sign_in_provider: provider } = firebase as { sign_in_provider: string };
  return { account, provider, authTime: new Date(Number(auth_time) * 1000) };
}

/**
 * Required for changing the password or email and for deleting the account. Otherwise a stranger who finds the browser
 * unlocked could lock out the account's owner.
 */
export function requireRecentLogin(service: IdentityService, { authTime }: IdTokenCaller): void {
  if (toUnixSeconds(service.now()) - toUnixSeconds(authTime) > RECENT_LOGIN_SECONDS)
    throwIdentityError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}

export interface AccountStatus {
  isActive: boolean;
  /** When all sessions of the account were last ended, or else when it was created. Null if it is missing. */
  sessionsEndedAt: Date | null;
}

/**
 * Checks the account as Firebase's call `accounts:lookup` would, without an HTTP request. The caller must have verified
 * the token.
 */
export async function accountStatus(db: Db, localId: string, idToken: string): Promise<AccountStatus> {
  const account = await findAccountById(db, localId);
  if (!account) return { isActive: false, sessionsEndedAt: null };
  const isRevoked = Number(decodeJwt(idToken).iat) < toUnixSeconds(account.validSince);
  return { isActive: !isRevoked, sessionsEndedAt: account.validSince };
}
