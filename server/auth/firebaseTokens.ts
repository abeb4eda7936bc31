import { jwtVerify, UnsecuredJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { keptName } from '../../src/contract/displayName';
import type { AskAccount } from './accountStatus';
import { normalizeEmail } from './emailAddress';
import type { FindKey } from './googleKeys';
import { IdentityProviderDown, type IdentityVerifier, type ProvenIdentity } from './identityProvider';

const SKEW_SECONDS = 60;
const LONGEST_UID = 128;
/** As Google issues them. A longer life shows that somebody else has the key. */
const LONGEST_LIFE_SECONDS = 3600;
const NOT_STORABLE = /[\p{Cc}\p{Cs}]/u;

const issuerOf = (projectId: string) => `https://securetoken.google.com/${projectId}`;

const isUid = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub.length > 0 && sub.length <= LONGEST_UID && !NOT_STORABLE.test(sub);

/** Checks what is left after signature, issuer, audience and expiry. @returns null for claims that must not be trusted */
function identityIn(claims: JWTPayload, projectId: string, now: Date): ProvenIdentity | null {
  const { sub, aud, iat, exp, auth_time: authTime, email_verified: verified, name } = claims;
  const email = typeof claims['email'] === 'string' && normalizeEmail(claims['email']);
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

interface Verifying {
  projectId: string;
  now: () => Date;
  askAccount: AskAccount;
}

const rules = ({ projectId, now }: Verifying) => ({
  issuer: issuerOf(projectId),
  audience: projectId,
  clockTolerance: SKEW_SECONDS,
  currentDate: now(),
  requiredClaims: ['exp'],
});

/** Null for any fault of a token, so that its sender does not learn which. */
function orNull(error: unknown): null {
  if (error instanceof IdentityProviderDown) throw error;
  return null;
}

function verifier(how: Verifying, claimsOf: (token: string) => Promise<JWTPayload>): IdentityVerifier {
  return {
    async verify(idToken, admit) {
      const claims = await claimsOf(idToken).catch(orNull);
      const person = claims && identityIn(claims, how.projectId, how.now());
      if (!person) return null;
      await admit?.(person.uid);
      const state = await how.askAccount(person.uid, idToken);
      if (state && !state.alive) return null;
      return { ...person, sessionsEndedAt: state?.sessionsEndedAt ?? null };
    },
  };
}

/** For tokens of Firebase and of the embedded service. They differ only in where the keys come from. */
export function firebaseVerifier(how: Verifying & { findKey: FindKey }): IdentityVerifier {
  const keyFor = async ({ kid }: JWTHeaderParameters) => {
    const key = typeof kid === 'string' && (await how.findKey(kid));
    if (!key) throw new Error('no such key');
    // A JWK, because jose imports each JWK object once. A forged token must cost little.
    return key;
  };
  return verifier(how, async (token) => {
    const { payload } = await jwtVerify(token, keyFor, { ...rules(how), algorithms: ['RS256'] });
    return payload;
  });
}

/** Google's Auth emulator does not sign its tokens. Use it only where the address of an emulator is configured. */
export function emulatorVerifier(how: Verifying): IdentityVerifier {
  return verifier(how, async (token) => UnsecuredJWT.decode(token, rules(how)).payload);
}
