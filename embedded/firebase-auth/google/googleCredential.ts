import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import { throwIdentityError } from '../identityErrors';
import { toUnixSeconds } from '../idTokens';
import { getSigningKey, verifyOwnToken } from '../signingKeys';
import { PROJECT_ID, type IdentityService } from '../service';

/** The Google user for whom the local account chooser signed a credential. */
export interface GooglePerson {
  rawId: string;
  email: string;
  displayName: string;
}

const AUDIENCE = `${PROJECT_ID}-google`;
const TOKEN_TYPE = 'google-stand-in+jwt';
const LIFETIME_SECONDS = 300;

const issuerOf = ({ publicUrl }: IdentityService) => `${publicUrl}/identity/google`;

/** Derives the id from the email, so that choosing an email again signs in the same Google user. */
const createGoogleId = (email: string) => createHash('sha256').update(`google:${email}`).digest('hex').slice(0, 21);

export async function signGoogleCredential(service: IdentityService, email: string, name: string): Promise<string> {
  const now = service.now();
  const { kid, key } = await getSigningKey(service);
  return new SignJWT({ email, email_verified: true, name })
    .setProtectedHeader({ alg: 'RS256', kid, typ: TOKEN_TYPE })
    .setIssuer(issuerOf(service))
    .setAudience(AUDIENCE)
    .setSubject(createGoogleId(email))
    .setIssuedAt(toUnixSeconds(now))
    .setExpirationTime(toUnixSeconds(now) + LIFETIME_SECONDS)
    .sign(key);
}

export async function verifyGoogleCredential(service: IdentityService, credential: string): Promise<GooglePerson> {
  const claims =
    (await verifyOwnToken(service, credential, { issuer: issuerOf(service), audience: AUDIENCE, typ: TOKEN_TYPE })) ??
    throwIdentityError('INVALID_IDP_RESPONSE : The supplied auth credential is malformed or has expired.');
  return { rawId: String(claims.sub), email: String(claims.email), displayName: String(claims.name) };
}
