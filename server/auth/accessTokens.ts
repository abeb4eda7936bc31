import { createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { ACCESS_TOKEN_SECONDS, ADMIN_TOKEN_SECONDS } from '../../src/contract/limits';
import { defineProblem, tokenInvalid } from '../http/problems';

const ISSUER = 'forgeline';
export const CLOCK_SKEW_SECONDS = 60;
export const tokenExpired = defineProblem(401, 'token_expired', 'Your session ended. Please log in again.');

export interface TokenFacts {
  userId: string;
  issuedAt: Date;
  /** When this user signed in at the identity provider. Missing in tokens issued by the previous version. */
  authTime?: Date;
}

interface IssueOptions {
  authTime?: Date;
  forAdmin?: boolean;
}

export interface AccessTokens {
  issue(userId: string, options?: IssueOptions): string;
  /** @throws 401 unless the token was issued by the shop and is still valid */
  verify(token: string): TokenFacts;
}

interface Claims {
  iss: string;
  aud: string;
  sub: string;
  iat: number;
  exp: number;
  auth_time?: number;
}

const toSeconds = (at: Date) => at.getTime() / 1000;
/** Rounds, because the product can be slightly less than the encoded millisecond. */
const dateOf = (claim: number) => new Date(Math.round(claim * 1000));

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Must be called only after the signature was verified. */
function parseClaims(payload: string): Claims {
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Partial<Claims>;
  const { iss, aud, sub, iat, exp, auth_time: authTime } = claims;
  const hasClaims = iss === ISSUER && aud === ISSUER && typeof sub === 'string' && Number.isFinite(iat);
  if (!hasClaims || !Number.isFinite(exp)) throw tokenInvalid();
  if (authTime !== undefined && !(authTime >= 0 && authTime <= iat! + ACCESS_TOKEN_SECONDS)) throw tokenInvalid();
  return { iss, aud, sub, iat: iat!, exp: exp!, auth_time: authTime };
}

/**
 * Refuses tokens that would be valid for longer than any token of the shop. The signature is already verified, so such
 * a token was forged with a stolen secret.
 */
function rejectLongLived({ iat, exp }: Claims, now: number): void {
  if (exp - iat > ACCESS_TOKEN_SECONDS || iat > now + ACCESS_TOKEN_SECONDS) throw tokenInvalid();
}

/**
 * Verifies HS256 with Node's synchronous crypto, because an asynchronous check takes longer than placing an order
 * (docs/decisions/009-tokens.md). The header must equal the shop's byte for byte, so that a token
 * cannot choose the algorithm, type or key.
 */
export function createAccessTokens(secret: string, now: () => Date): AccessTokens {
  const key = createSecretKey(secret, 'utf8');
  const kid = createHash('sha256').update(secret).digest('base64url').slice(0, 8);
  const header = encode({ alg: 'HS256', typ: 'at+jwt', kid });
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');

  return {
    issue(userId, { authTime, forAdmin } = {}) {
      // Includes milliseconds. Otherwise `sessions_valid_from` could not revoke a token without revoking newer ones of
      // the same second.
      const iat = toSeconds(now());
      const exp = Math.floor(iat) + (forAdmin ? ADMIN_TOKEN_SECONDS : ACCESS_TOKEN_SECONDS);
      const claims = { iss: ISSUER, aud: ISSUER, sub: userId, iat, exp, auth_time: authTime && toSeconds(authTime) };
      const text = `${header}.${encode(claims)}`;
      return `${text}.${sign(text)}`;
    },
    verify(token) {
      const [tokenHeader, payload = '', signature = '', ...rest] = token.split('.');
      if (tokenHeader !== header || rest.length > 0 || !isEqual(signature, sign(`${tokenHeader}.${payload}`)))
        throw tokenInvalid();
      const claims = parseClaims(payload);
      const { sub, iat, exp, auth_time: authTime } = claims;
      if (exp <= Math.floor(toSeconds(now())) - CLOCK_SKEW_SECONDS) throw tokenExpired();
      rejectLongLived(claims, toSeconds(now()));
      return { userId: sub, issuedAt: dateOf(iat), ...(authTime !== undefined && { authTime: dateOf(authTime) }) };
    },
  };
}
