import { createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { ACCESS_TOKEN_SECONDS } from '../src/contract/limits';
import { problem, tokenInvalid } from './errors';

const ISSUER = 'forgeline';
const CLOCK_SKEW_SECONDS = 60;
const tokenExpired = problem(401, 'token_expired', 'Your session ended. Please log in again.');

export interface AccessTokens {
  issue(userId: string): string;
  /** Whose token this is and when it was made; throws a 401 for anything else. */
  verify(token: string): { userId: string; issuedAt: Date };
}

interface Claims {
  iss: string;
  aud: string;
  sub: string;
  iat: number;
  exp: number;
}

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
  const { iss, aud, sub, iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Partial<Claims>;
  const whole = iss === ISSUER && aud === ISSUER && typeof sub === 'string' && Number.isFinite(iat);
  if (!whole || !Number.isFinite(exp)) throw tokenInvalid();
  return { iss, aud, sub, iat: iat!, exp: exp! };
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
    issue(userId) {
      /** To the millisecond, so that `sessions_valid_from` can tell two tokens of one second apart. */
      const iat = now().getTime() / 1000;
      const exp = Math.floor(iat) + ACCESS_TOKEN_SECONDS;
      const text = `${header}.${encode({ iss: ISSUER, aud: ISSUER, sub: userId, iat, exp })}`;
      return `${text}.${sign(text)}`;
    },
    verify(token) {
      const [given, payload = '', signature = '', ...rest] = token.split('.');
      if (given !== header || rest.length > 0 || !same(signature, sign(`${given}.${payload}`))) throw tokenInvalid();
      const { sub, iat, exp } = claimsOf(payload);
      if (exp <= Math.floor(now().getTime() / 1000) - CLOCK_SKEW_SECONDS) throw tokenExpired();
      return { userId: sub, issuedAt: new Date(iat * 1000) };
    },
  };
}
