import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { throwIdentityError } from './identityErrors';
import type { IdentityService } from './service';
import { createSemaphore } from './semaphore';

const scryptAsync = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

/** N = 2^17, as OWASP recommends for scrypt: 128 MiB and about 0.3 s per hash. */
export const PASSWORD_COST = 17;
const R = 8;
const P = 1;
const HASH_BYTES = 32;
/** Two hashes run at a time, so a burst of logins takes at most 256 MiB. Up to 64 more wait, for at most about 10 s. */
const runHashing = createSemaphore(2, 64);

/** `maxmem` is twice the 128 * N * r bytes of the algorithm, because scrypt needs slightly more than those. */
const computeScrypt = (password: string, salt: Buffer, cost: number) =>
  scryptAsync(password, salt, HASH_BYTES, { N: 2 ** cost, r: R, p: P, maxmem: 256 * 2 ** cost * R });

const formatHash = (cost: number, salt: Buffer, hash: Buffer) =>
  ['scrypt', cost, R, P, salt.toString('base64url'), hash.toString('base64url')].join('$');

function parseHash(stored: string) {
  const [, cost, , , salt = '', hash = ''] = stored.split('$');
  return { cost: Number(cost), salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

export async function hashPassword(password: string, cost = PASSWORD_COST): Promise<string> {
  const salt = randomBytes(16);
  return formatHash(cost, salt, await runHashing(() => computeScrypt(password, salt, cost)));
}

const RANDOM_HASH = { salt: randomBytes(16), hash: randomBytes(HASH_BYTES) };

/** Takes the same time whether or not the account exists. Otherwise that time would reveal which emails have one. */
export async function passwordMatches(
  password: string,
  stored: string | null | undefined,
  currentCost = PASSWORD_COST,
): Promise<boolean> {
  const { cost, salt, hash } = parseHash(stored ?? formatHash(currentCost, RANDOM_HASH.salt, RANDOM_HASH.hash));
  const derived = await runHashing(() => computeScrypt(password, salt, cost));
  return timingSafeEqual(derived, hash) && Boolean(stored);
}

const MIN_PASSWORD_LENGTH = 6;

export async function requireStrongPassword(service: IdentityService, password: string): Promise<string> {
  if (password.length < MIN_PASSWORD_LENGTH)
    throwIdentityError(`WEAK_PASSWORD : Password should be at least ${MIN_PASSWORD_LENGTH} characters`);
  if (await service.isCommonPassword(password)) throwIdentityError(`WEAK_PASSWORD : ${service.commonPasswordMessage}`);
  return password;
}

/**
 * Looks passwords up in the list in lower case. Reads the list only when the first password is set, because it takes
 * about 1 MB of memory.
 */
export function createCommonPasswordCheck(folder: string) {
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
