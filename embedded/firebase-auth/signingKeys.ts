import { desc, eq, notInArray } from 'drizzle-orm';
import {
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  type CryptoKey,
  type JSONWebKeySet,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { randomBytes } from 'node:crypto';
import { identityKeys } from './schema';
import type { IdentityService, Tx } from './service';

const MODULUS_BITS = 3072;
const DAY_MS = 86_400_000;
const SIGNING_PERIOD_MS = 30 * DAY_MS;
/** Twice the lifetime of a token. By then, every token signed with the old key has expired. */
const PUBLISHED_AFTER_ROTATION_MS = 2 * 3_600_000;

type KeyRow = typeof identityKeys.$inferSelect;
type KeyStore = Pick<IdentityService, 'db' | 'lockKeys' | 'now'>;

const canSign = (key: KeyRow | undefined, now: Date): key is KeyRow =>
  key !== undefined && now.getTime() - key.createdAt.getTime() < SIGNING_PERIOD_MS;

function selectPublished(newestFirst: KeyRow[], now: Date): KeyRow[] {
  return newestFirst.filter((_, i) => {
    const successor = newestFirst[i - 1];
    return !successor || now.getTime() - successor.createdAt.getTime() < PUBLISHED_AFTER_ROTATION_MS;
  });
}

const queryKeys = (db: Tx) =>
  db.select().from(identityKeys).orderBy(desc(identityKeys.createdAt), desc(identityKeys.kid));

async function generateKey(now: Date): Promise<KeyRow> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: MODULUS_BITS });
  const keyFields = { kid: randomBytes(20).toString('hex'), alg: 'RS256', use: 'sig' };
  const privateJwk = { ...(await exportJWK(privateKey)), ...keyFields };
  return {
    kid: keyFields.kid,
    privateJwk,
    publicJwk: { ...(await exportJWK(publicKey)), ...keyFields },
    createdAt: now,
  };
}

/**
 * If several servers want to replace an old key at the same time, the first one does, and the others use its new key.
 */
async function rotateKey({ db, lockKeys }: KeyStore, now: Date): Promise<KeyRow> {
  const newKey = await generateKey(now);
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    const keys = await queryKeys(tx);
    const newest = keys[0];
    if (canSign(newest, now)) return newest;
    // Keys are ordered by creation time, so the new key must be later than the old one.
    newKey.createdAt = new Date(Math.max(now.getTime(), ...keys.map((key) => key.createdAt.getTime() + 1)));
    await tx.insert(identityKeys).values(newKey);
    const publishedKids = selectPublished([newKey, ...keys], now).map((key) => key.kid);
    await tx.delete(identityKeys).where(notInArray(identityKeys.kid, publishedKids));
    return newKey;
  });
}

export async function getSigningKey(store: KeyStore): Promise<{ kid: string; key: CryptoKey | Uint8Array }> {
  const [newest] = await queryKeys(store.db).limit(1);
  const now = store.now();
  const row = canSign(newest, now) ? newest : await rotateKey(store, now);
  return { kid: row.kid, key: await importJWK(row.privateJwk as JWK, 'RS256') };
}

export async function getPublicKeys(store: KeyStore): Promise<JSONWebKeySet> {
  const keys = await queryKeys(store.db);
  const now = store.now();
  return {
    keys: selectPublished(keys.length ? keys : [await rotateKey(store, now)], now).map((key) => key.publicJwk as JWK),
  };
}

const findPublicKey =
  (db: Tx) =>
  async ({ kid }: JWTHeaderParameters) => {
    if (!kid || !/^[0-9a-f]{40}$/.test(kid)) throw new errors.JWKSNoMatchingKey();
    const [row] = await db.select().from(identityKeys).where(eq(identityKeys.kid, kid));
    if (!row) throw new errors.JWKSNoMatchingKey();
    return importJWK(row.publicJwk as JWK, 'RS256');
  };

/**
 * @returns the claims, or undefined if the token is not valid
 * @throws if the key can't be read, because then nobody knows whether the token is valid
 */
export async function verifyOwnToken(
  { db, now }: IdentityService,
  token: string,
  expected: { issuer: string; audience: string; typ: string },
): Promise<JWTPayload | undefined> {
  try {
    const options = { ...expected, algorithms: ['RS256'], currentDate: now() };
    return (await jwtVerify(token, findPublicKey(db), options)).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
