import { desc, eq, notInArray, sql } from 'drizzle-orm';
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JSONWebKeySet,
  type JWK,
  type JWTHeaderParameters,
} from 'jose';
import { randomBytes } from 'node:crypto';
import { identityKeys } from './schema';
import type { Service, Tx } from './service';

const MODULUS_BITS = 3072;
const DAY_MS = 86_400_000;
const SIGNS_FOR_MS = 30 * DAY_MS;
/** Twice the life of a token: by then nothing that the key signed is still good. */
const PUBLISHED_AFTERWARDS_MS = 2 * 3_600_000;

type KeyRow = typeof identityKeys.$inferSelect;
type KeyStore = Pick<Service, 'db' | 'keyLock' | 'now'>;

const bitsOf = ({ publicJwk }: KeyRow) => Buffer.from((publicJwk as JWK).n ?? '', 'base64url').length * 8;

/** A shorter key, of an older version, is replaced at once. What it signed stays good: it is published for a while. */
const stillSigns = (key: KeyRow | undefined, now: Date): key is KeyRow =>
  key !== undefined && bitsOf(key) >= MODULUS_BITS && now.getTime() - key.createdAt.getTime() < SIGNS_FOR_MS;

function published(newestFirst: KeyRow[], now: Date): KeyRow[] {
  return newestFirst.filter((_, i) => {
    const successor = newestFirst[i - 1];
    return !successor || now.getTime() - successor.createdAt.getTime() < PUBLISHED_AFTERWARDS_MS;
  });
}

const allKeys = (db: Tx) =>
  db.select().from(identityKeys).orderBy(desc(identityKeys.createdAt), desc(identityKeys.kid));

async function newKey(now: Date): Promise<KeyRow> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: MODULUS_BITS });
  const names = { kid: randomBytes(20).toString('hex'), alg: 'RS256', use: 'sig' };
  const privateJwk = { ...(await exportJWK(privateKey)), ...names };
  return { kid: names.kid, privateJwk, publicJwk: { ...(await exportJWK(publicKey)), ...names }, createdAt: now };
}

/** Of several servers that find the key too old, the first replaces it and the others take what it made. */
async function rotate({ db, keyLock }: KeyStore, now: Date): Promise<KeyRow> {
  const made = await newKey(now);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${keyLock})`);
    const keys = await allKeys(tx);
    const newest = keys[0];
    if (stillSigns(newest, now)) return newest;
    // Keys are ordered by their times: the new one must come after the one it replaces, even within a millisecond.
    made.createdAt = new Date(Math.max(now.getTime(), ...keys.map((key) => key.createdAt.getTime() + 1)));
    await tx.insert(identityKeys).values(made);
    const kept = published([made, ...keys], now).map((key) => key.kid);
    await tx.delete(identityKeys).where(notInArray(identityKeys.kid, kept));
    return made;
  });
}

export async function signingKey(store: KeyStore): Promise<{ kid: string; key: CryptoKey | Uint8Array }> {
  const [newest] = await allKeys(store.db).limit(1);
  const now = store.now();
  const row = stillSigns(newest, now) ? newest : await rotate(store, now);
  return { kid: row.kid, key: await importJWK(row.privateJwk as JWK, 'RS256') };
}

/** The published key set, in process. */
export async function publicKeys(store: KeyStore): Promise<JSONWebKeySet> {
  const keys = await allKeys(store.db);
  const now = store.now();
  return { keys: published(keys.length ? keys : [await rotate(store, now)], now).map((key) => key.publicJwk as JWK) };
}

/** The key that a token names, for `jwtVerify`. */
export function keyOf(db: Tx) {
  return async ({ kid }: JWTHeaderParameters) => {
    if (!kid || !/^[0-9a-f]{40}$/.test(kid)) throw new Error('no such key');
    const [row] = await db.select().from(identityKeys).where(eq(identityKeys.kid, kid));
    if (!row) throw new Error('no such key');
    return importJWK(row.publicJwk as JWK, 'RS256');
  };
}
