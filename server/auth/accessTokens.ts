import { createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { ACCESS_TOKEN_SECONDS, ADMIN_TOKEN_SECONDS } from '../../src/contract/limits';
import { problem, tokenInvalid } from '../http/problems';

const ISSUER = 'forgeline';
export const CLOCK_SKEW_SECONDS = 60;
export const tokenExpired = problem(401, 'token_expired', 'Your session ended. Please log in again.');

export interface TokenFacts {
  userId: string;
  issuedAt: Date;
  /** When this person signed in at the identity provider. Tokens of the version before do not say. */
  authTime?: Date;
}

interface Issue {
  authTime?: Date;
  forAdmin?: boolean;
}

export interface AccessTokens {
  issue(userId: string, how?: Issue): string;
  /** Throws a 401 for anything but a token of ours that is still good. */
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

const seconds = (at: Date) => at.getTime() / 1000;
/** Seconds with a fraction, times 1000, can be a hair below the millisecond that is meant. */
const dateOf = (claim: number) => new Date(Math.round(claim * 1000));

const encode = (value: object | string | Buffer): string =>
  Buffer.from(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString(
    'base64url',
  );

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Of a payload whose signature is ours. */
function claimsOf(payload: string): Claims {
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Partial<Claims>;
  const { iss, aud, sub, iat, exp, auth_time: authTime } = claims;
  const whole = iss === ISSUER && aud === ISSUER && typeof sub === 'string' && Number.isFinite(iat);
  if (!whole || !Number.isFinite(exp)) throw tokenInvalid();
  if (authTime !== undefined && !(authTime >= 0 && authTime <= iat! + ACCESS_TOKEN_SECONDS)) throw tokenInvalid();
  return { iss, aud, sub, iat: iat!, exp: exp!, auth_time: authTime };
}

/** A stolen secret must not make a token that outlasts a change of the secret: no token of ours lives longer. */
function refuseLongLived({ iat, exp }: Claims, now: number): void {
  if (exp - iat > ACCESS_TOKEN_SECONDS || iat > now + ACCESS_TOKEN_SECONDS) throw tokenInvalid();
}

/**
 * HS256 in Node's own crypto, at once: by promises a check costs more than the order that it lets pass. A token has one
 * header, the one that we write, byte for byte; so there is no algorithm, type or key to choose.
 */
export function accessTokens(secret: string, now: () => Date): AccessTokens {
  const key = createSecretKey(secret, 'utf8');
  const kid = createHash('sha256').update(secret).digest('base64url').slice(0, 8);
  const header = encode({ alg: 'HS256', typ: 'at+jwt', kid });
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');

  return {
    issue(userId, { authTime, forAdmin } = {}) {
      /** To the millisecond, so that `sessions_valid_from` can tell two tokens of one second apart. */
      const iat = seconds(now());
      const exp = Math.floor(iat) + (forAdmin ? ADMIN_TOKEN_SECONDS : ACCESS_TOKEN_SECONDS);
      const claims = { iss: ISSUER, aud: ISSUER, sub: userId, iat, exp, auth_time: authTime && seconds(authTime) };
      const text = `${header}.${encode(claims)}`;
      return `${text}.${sign(text)}`;
    },
    verify(token) {
      const [given, payload = '', signature = '', ...rest] = token.split('.');
      if (given !== header || rest.length > 0 || !same(signature, sign(`${given}.${payload}`))) throw tokenInvalid();
      const claims = claimsOf(payload);
      const { sub, iat, exp, auth_time: authTime } = claims;
      if (exp <= Math.floor(seconds(now())) - CLOCK_SKEW_SECONDS) throw tokenExpired();
      refuseLongLived(claims, seconds(now()));
      return { userId: sub, issuedAt: dateOf(iat), ...(authTime !== undefined && { authTime: dateOf(authTime) }) };
    },
  };
}
