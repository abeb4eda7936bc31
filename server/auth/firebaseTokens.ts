import { jwtVerify, UnsecuredJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { toStorableName } from '../../src/contract/displayName';
import type { LookupAccount } from './accountStatus';
import { normalizeEmail } from './emailAddress';
import type { FindKey } from './googleKeys';
import { ProblemError, tokenInvalid } from '../http/problems';

export interface VerifiedIdentity {
  uid: string;
  email: string;
  emailVerified: boolean;
  /** Whether the account belongs to a Google user. Google then vouches for the email. */
  isLinkedToGoogle: boolean;
  displayName: string;
  /**
   * When this user signed in, in whole seconds. It identifies the session, because all tokens of a session contain the
   * same time.
   */
  authTime: Date;
  /** When a new password or email last ended this user's sessions, if the provider reports it. */
  sessionsEndedAt: Date | null;
}

/**
 * @param onSignatureVerified called with the user's id before the account is looked up
 * @throws 401 for a token that must not be trusted, and 503 if the provider's keys cannot be fetched
 */
export type VerifyIdToken = (
  idToken: string,
  onSignatureVerified: (uid: string) => Promise<void>,
) => Promise<VerifiedIdentity>;

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

/** Reads the claims, and checks those that the signature check does not cover. */
function readIdentity(claims: JWTPayload, projectId: string, now: Date): VerifiedIdentity {
  const { sub, aud, iat, exp, auth_time: authTime, email_verified: verified, name } = claims;
  const email = typeof claims['email'] === 'string' && normalizeEmail(claims['email']);
  const latest = now.getTime() / 1000 + CLOCK_SKEW_SECONDS;
  const isPast = (time: unknown) => typeof time === 'number' && time > 0 && time <= latest;
  const isTooLong = typeof exp !== 'number' || exp - Number(iat) > MAX_TOKEN_LIFETIME_SECONDS;
  const displayName = typeof name === 'string' ? toStorableName(name) : '';
  if (aud !== projectId || !isUid(sub) || !isPast(iat) || isTooLong || !isPast(authTime) || !email)
    throw tokenInvalid();
  return {
    uid: sub,
    email,
    emailVerified: verified === true,
    isLinkedToGoogle: isLinkedToGoogle(claims),
    displayName,
    authTime: new Date(Math.floor(Number(authTime)) * 1000),
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

/** Throws the same error for every invalid token, so that nobody can learn why it was rejected. */
function throwInvalidUnlessProblem(error: unknown): never {
  throw error instanceof ProblemError ? error : tokenInvalid();
}

function createVerifier(options: VerifierOptions, claimsOf: (token: string) => Promise<JWTPayload>): VerifyIdToken {
  return async (idToken, onSignatureVerified) => {
    const claims = await claimsOf(idToken).catch(throwInvalidUnlessProblem);
    const person = readIdentity(claims, options.projectId, options.now());
    await onSignatureVerified(person.uid);
    const state = await options.lookUpAccount(person.uid, idToken);
    if (state?.isActive === false) throw tokenInvalid();
    return { ...person, sessionsEndedAt: state?.sessionsEndedAt ?? null };
  };
}

/** Verifies tokens of Firebase or of the embedded service, depending on where `findKey` finds the signing keys. */
export function createFirebaseVerifier(options: VerifierOptions & { findKey: FindKey }): VerifyIdToken {
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
export function createEmulatorVerifier(options: VerifierOptions): VerifyIdToken {
  return createVerifier(options, async (token) => UnsecuredJWT.decode(token, verificationOptions(options)).payload);
}
