import type { JWTPayload } from 'jose';
import { keptName } from '../../src/contract/names';
import { normaliseEmail } from './emailAddress';
import type { ProvenIdentity } from './identityProvider';

export const SKEW_SECONDS = 60;
const LONGEST_UID = 128;
/** As Google issues them. A longer life shows that somebody else has the key. */
const LONGEST_LIFE_SECONDS = 3600;
const UNKEEPABLE = /[\p{Cc}\p{Cs}]/u;

export const issuerOf = (projectId: string) => `https://securetoken.google.com/${projectId}`;

const isUid = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub.length > 0 && sub.length <= LONGEST_UID && !UNKEEPABLE.test(sub);

/** What the signature, issuer, audience and expiry have left to check, whoever signed. */
export function identityIn(claims: JWTPayload, projectId: string, now: Date): ProvenIdentity | null {
  const { sub, aud, iat, exp, auth_time: authTime, email_verified: verified, name } = claims;
  const email = typeof claims['email'] === 'string' && normaliseEmail(claims['email']);
  const latest = now.getTime() / 1000 + SKEW_SECONDS;
  const past = (time: unknown) => typeof time === 'number' && time > 0 && time <= latest;
  const isTooLong = typeof exp !== 'number' || exp - Number(iat) > LONGEST_LIFE_SECONDS;
  const displayName = typeof name === 'string' ? keptName(name) : '';
  if (aud !== projectId || !isUid(sub) || !past(iat) || isTooLong || !past(authTime) || !email) return null;
  const signedIn = new Date(Math.floor(Number(authTime)) * 1000);
  return {
    uid: sub,
    email,
    emailVerified: verified === true,
    displayName,
    authTime: signedIn,
    sessionsEndedAt: null,
  };
}
