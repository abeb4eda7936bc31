import type { JSONWebKeySet, JWK } from 'jose';
import { setTimeout as sleep } from 'node:timers/promises';

const CACHE_MS = 60_000;
const MIN_READ_INTERVAL_MS = 200;
const KID = /^[0-9a-f]{40}$/;

/**
 * Caches the published keys. An unknown key id causes a database read, because another server may have created that
 * key. At most one read starts every 200 ms, so invented key ids cannot flood the database.
 */
export function createKeyCache(readKeys: () => Promise<JSONWebKeySet>, wait: (ms: number) => Promise<unknown> = sleep) {
  let keys = new Map<string, JWK>();
  let readAt = -Infinity;
  let nextRead: Promise<void> | undefined;

  async function read(): Promise<void> {
    await wait(Math.max(0, readAt + MIN_READ_INTERVAL_MS - performance.now()));
    // This read may miss a key that is inserted after it begins, so later callers must start a read of their own.
    nextRead = undefined;
    readAt = performance.now();
    const published = await readKeys();
    keys = new Map(published.keys.map((key) => [String(key.kid), key]));
  }

  return async (kid: string): Promise<JWK | undefined> => {
    if (!KID.test(kid)) return undefined;
    if (!keys.has(kid) || performance.now() - readAt > CACHE_MS) await (nextRead ??= read());
    return keys.get(kid);
  };
}
