import { decodeJwt, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { accountOfId, federatedOf, type Account } from './accounts';
import { fail } from './identityErrors';
import { keyOf, signingKey } from './signingKeys';
import { identitiesOf, isVerified } from './profile';
import { PROJECT_ID, type Db, type Service } from './service';

export const TOKEN_SECONDS = 3600;
const RECENT_SECONDS = 300;
const ISSUER = `https://securetoken.google.com/${PROJECT_ID}`;

export const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

export async function signIdToken(service: Service, account: Account, provider: string, authTime: Date) {
  const now = service.now();
  const { kid, key } = await signingKey(service);
  const federated = await federatedOf(service.db, account.localId);
  const claims = {
    ...(account.displayName && { name: account.displayName }),
    ...(account.photoUrl && { picture: account.photoUrl }),
    auth_time: seconds(authTime),
    user_id: account.localId,
    email: account.email,
    email_verified: isVerified(service, account),
    firebase: { identities: identitiesOf(account, federated), sign_in_provider: provider },
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(PROJECT_ID)
    .setSubject(account.localId)
    .setIssuedAt(seconds(now))
    .setExpirationTime(seconds(now) + TOKEN_SECONDS)
    .sign(key);
}

export interface IdTokenCaller {
  account: Account;
  provider: string;
  authTime: Date;
}

async function claimsOf(service: Service, token: string): Promise<JWTPayload> {
  const options = { algorithms: ['RS256'], issuer: ISSUER, audience: PROJECT_ID, currentDate: service.now() };
  const { payload } = await jwtVerify(token, keyOf(service.db), { ...options, typ: 'JWT' }).catch(() =>
    fail('INVALID_ID_TOKEN'),
  );
  return payload;
}

export async function callerOf(service: Service, token: string | undefined): Promise<IdTokenCaller> {
  const { sub, iat, auth_time, firebase } = await claimsOf(service, token || fail('MISSING_ID_TOKEN'));
  const account = (sub && (await accountOfId(service.db, sub))) || fail('USER_NOT_FOUND');
  if (Number(iat) < seconds(account.validSince)) fail('TOKEN_EXPIRED');
  if (account.disabled) fail('USER_DISABLED');
  const { sign_in_provider: provider } = firebase as { sign_in_provider: string };
  return { account, provider, authTime: new Date(Number(auth_time) * 1000) };
}

/** Who takes over an unlocked browser must not be able to lock its owner out. */
export function requireRecentLogin(service: Service, { authTime }: IdTokenCaller): void {
  if (seconds(service.now()) - seconds(authTime) > RECENT_SECONDS) fail('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
}

export interface AccountStatus {
  alive: boolean;
  sessionsEndedAt: Date | null;
}

/** Reads in process what `accounts:lookup` answers. */
export async function accountStatus(db: Db, localId: string, idToken: string): Promise<AccountStatus> {
  const account = await accountOfId(db, localId);
  if (!account || account.disabled) return { alive: false, sessionsEndedAt: null };
  const revoked = Number(decodeJwt(idToken).iat) < seconds(account.validSince);
  return { alive: !revoked, sessionsEndedAt: account.validSince };
}
