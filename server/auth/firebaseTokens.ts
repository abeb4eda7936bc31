import { jwtVerify, UnsecuredJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { toStorableName } from '../../src/contract/displayName';
import type { LookupAccount } from './accountStatus';
import { normalizeEmail } from './emailAddress';
import type { FindKey } from './googleKeys';
import { IdentityProviderDown, type IdentityVerifier, type VerifiedIdentity } from './identityProvider';

const CLOCK_SKEW_SECONDS = 60;
const MAX_UID_LENGTH = 128;
/** Google's tokens are valid for at most an hour, so a token with a longer lifetime is not from Google. */
const MAX_TOKEN_LIFETIME_SECONDS = 3600;
const GOOGLE_PROVIDER_ID = 'google.com';
const NOT_STORABLE = /[\p{Cc}\p{Cs}]/u;

const issuerOf = (projectId: string) => `https://securetoken.google.com/${projectId}`;

const isUid = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub.length > 0 && sub.length <= MAX_UID_LENGTH && !NOT_STORABLE.test(sub);

/** The provider adds the `firebase` claim, which lists the identities that are linked to the account. */
function isLinkedToGoogle({ firebase }: JWTPayload): boolean {
  const { identities } = (firebase ?? {}) as { identities?: object };
  return Object.hasOwn(identities ?? {}, GOOGLE_PROVIDER_ID);
}

/**
 * Reads the claims, and checks those that the signature check does not cover.
 * @returns null for claims that must not be trusted
 */
function readIdentity(claims: JWTPayload, projectId: string, now: Date): VerifiedIdentity | null {
  const { sub, aud, iat, exp, auth_time: authTime, email_verified: verified, name } = claims;
  const email = typeof claims['email'] === 'string' && normalizeEmail(claims['email']);
  const latest = now.getTime() / 1000 + CLOCK_SKEW_SECONDS;
  const isPast = (time: unknown) => typeof time === 'number' && time > 0 && time <= latest;
  const isTooLong = typeof exp !== 'number' || exp - Number(iat) > MAX_TOKEN_LIFETIME_SECONDS;
  const displayName = typeof name === 'string' ? toStorableName(name) : '';
  if (aud !== projectId || !isUid(sub) || !isPast(iat) || isTooLong || !isPast(authTime) || !email) return null;
  const signedInAt = new Date(Math.floor(Number(authTime)) * 1000);
  return {
    uid: sub,
    email,
    emailVerified: verified === true,
    isLinkedToGoogle: isLinkedToGoogle(claims),
    displayName,
    authTime: signedInAt,
    sessionsEndedAt: null,
  };
}

interface VerifierOptions {
  projectId: string;
  now: () => Date;
  lookUpAccount: LookupAccount;
}

const verificationOptions = ({ projectId, now }: VerifierOptions) => ({
  issuer: issuerOf(projectId),
  audience: projectId,
  clockTolerance: CLOCK_SKEW_SECONDS,
  currentDate: now(),
  requiredClaims: ['exp'],
});

/**
 * Callers get null for every invalid token, so that nobody can learn why it was rejected. Only an outage of the
 * provider is rethrown.
 */
function nullUnlessProviderDown(error: unknown): null {
  if (error instanceof IdentityProviderDown) throw error;
  return null;
}

function createVerifier(options: VerifierOptions, claimsOf: (token: string) => Promise<JWTPayload>): IdentityVerifier {
  return {
    async verify(idToken, onSignatureVerified) {
      const claims = await claimsOf(idToken).catch(nullUnlessProviderDown);
      const person = claims && readIdentity(claims, options.projectId, options.now());
      if (!person) return null;
      await onSignatureVerified?.(person.uid);
      const state = await options.lookUpAccount(person.uid, idToken);
      if (state && !state.isActive) return null;
      return { ...person, sessionsEndedAt: state?.sessionsEndedAt ?? null };
    },
  };
}

/** Verifies tokens of Firebase or of the embedded service, depending on where `findKey` finds the signing keys. */
export function createFirebaseVerifier(options: VerifierOptions & { findKey: FindKey }): IdentityVerifier {
  const keyFor = async ({ kid }: JWTHeaderParameters) => {
    const key = typeof kid === 'string' && (await options.findKey(kid));
    if (!key) throw new Error('unknown key');
    // jose caches the imported key for this JWK object. As the object is the same each time, refusing many forged
    // tokens is cheap.
    return key;
  };
  return createVerifier(options, async (token) => {
    const { payload } = await jwtVerify(token, keyFor, { ...verificationOptions(options), algorithms: ['RS256'] });
    return payload;
  });
}

/** Accepts unsigned tokens, because Google's Auth emulator issues no others. Must be used only with an emulator. */
export function createEmulatorVerifier(options: VerifierOptions): IdentityVerifier {
  return createVerifier(options, async (token) => UnsecuredJWT.decode(token, verificationOptions(options)).payload);
}
