import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { IdentityError } from './errors';
import { NoTurn, takeTurns } from './turns';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** 32 MiB a hash, two at a time: a burst of logins is slow, never large. */
const LOG_N = 15;
const R = 8;
const P = 1;
const BYTES = 32;
const inTurn = takeTurns(2, 128);

async function scryptOf(password: string, salt: Buffer, logN: number, r: number, p: number): Promise<Buffer> {
  const cost = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r };
  return inTurn(() => derive(password, salt, BYTES, cost)).catch((error: unknown) => {
    throw error instanceof NoTurn ? new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER', 503, 5) : error;
  });
}

const written = (salt: Buffer, hash: Buffer) =>
  ['scrypt', LOG_N, R, P, salt.toString('base64url'), hash.toString('base64url')].join('$');

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return written(salt, await scryptOf(password, salt, LOG_N, R, P));
}

const NOBODY = written(randomBytes(16), randomBytes(BYTES));

/** Costs the same whether there is such an account or not. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, logN, r, p, salt = '', hash = ''] = (stored ?? NOBODY).split('$');
  const derived = await scryptOf(password, Buffer.from(salt, 'base64url'), Number(logN), Number(r), Number(p));
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && Boolean(stored);
}
