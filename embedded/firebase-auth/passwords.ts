import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fail, IdentityError } from './identityErrors';
import type { Service } from './service';
import { SemaphoreFull, createSemaphore } from './semaphore';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** N = 2^17, which OWASP asks of scrypt: 128 MiB and about 0.3 s a hash. */
export const PASSWORD_COST = 17;
const R = 8;
const P = 1;
const BYTES = 32;
/** Two hashes at a time, 256 MiB: a burst of logins is slow, never large. 64 more wait about 10 s at most. */
const withTurn = createSemaphore(2, 64);

async function oneByOne<T>(work: () => Promise<T>): Promise<T> {
  return withTurn(work).catch((error: unknown) => {
    throw error instanceof SemaphoreFull ? new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER', 503, 5) : error;
  });
}

/** scrypt needs 128 * N * r bytes and a little more. */
const scryptOf = (password: string, salt: Buffer, cost: number, r = R, p = P) =>
  derive(password, salt, BYTES, { N: 2 ** cost, r, p, maxmem: 256 * 2 ** cost * r });

const written = (cost: number, salt: Buffer, hash: Buffer) =>
  ['scrypt', cost, R, P, salt.toString('base64url'), hash.toString('base64url')].join('$');

function read(stored: string) {
  const [, cost, r, p, salt = '', hash = ''] = stored.split('$');
  const bytes = { salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
  return { cost: Number(cost), r: Number(r), p: Number(p), ...bytes };
}

export async function hashPassword(password: string, cost = PASSWORD_COST): Promise<string> {
  const salt = randomBytes(16);
  return written(cost, salt, await oneByOne(() => scryptOf(password, salt, cost)));
}

/** An older version hashed with less work. */
export const isCheaper = (stored: string, cost = PASSWORD_COST) => read(stored).cost < cost;

const UNKNOWN = { salt: randomBytes(16), hash: randomBytes(BYTES) };

/**
 * Takes the same time whether the account exists or not. An older, cheaper hash is followed by the work that it lacks:
 * the costs from its own up to one below today's add up to today's.
 */
export async function passwordMatches(
  password: string,
  stored: string | null | undefined,
  today = PASSWORD_COST,
): Promise<boolean> {
  const { cost, r, p, salt, hash } = read(stored ?? written(today, UNKNOWN.salt, UNKNOWN.hash));
  const derived = await oneByOne(async () => {
    const found = await scryptOf(password, salt, cost, r, p);
    for (let lacking = cost; lacking < today; lacking += 1) await scryptOf(password, salt, lacking);
    return found;
  });
  return timingSafeEqual(derived, hash) && Boolean(stored);
}

const MIN_PASSWORD = 6;

export async function requireStrong(service: Service, password: string): Promise<string> {
  if (password.length < MIN_PASSWORD) fail(`WEAK_PASSWORD : Password should be at least ${MIN_PASSWORD} characters`);
  if (await service.isCommonPassword(password)) fail(`WEAK_PASSWORD : ${service.commonPasswordMessage}`);
  return password;
}

/** The list is read at the first sign-up and then kept: about 1 MB. Capital letters do not make a password rare. */
export function commonPasswords(folder: string) {
  let list: Promise<Set<string>> | undefined;

  async function readList(): Promise<Set<string>> {
    const text = await readFile(join(folder, 'common/passwords.txt'), 'utf8');
    return new Set(text.toLowerCase().split('\n'));
  }

  return async (password: string): Promise<boolean> => {
    list ??= readList().catch((error: unknown) => {
      list = undefined;
      throw error;
    });
    return (await list).has(password.toLowerCase());
  };
}
