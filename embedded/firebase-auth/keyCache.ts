import type { JSONWebKeySet, JWK } from 'jose';
import { setTimeout as sleep } from 'node:timers/promises';

const KEPT_MS = 60_000;
const BETWEEN_READS_MS = 200;
const KID = /^[0-9a-f]{40}$/;

/**
 * Keeps the published keys in memory. Another server may have made a new key, so an unknown name is looked up, but all
 * names of 200 ms share one look-up: a stranger who invents names costs the database five reads a second at most.
 */
export function cachedKeys(readKeys: () => Promise<JSONWebKeySet>) {
  let keys = new Map<string, JWK>();
  let readAt = -Infinity;
  let nextRead: Promise<void> | undefined;

  async function read(): Promise<void> {
    await sleep(Math.max(0, readAt + BETWEEN_READS_MS - performance.now()));
    // From here on a new key may be too late for this read: whoever asks next waits for the next one.
    nextRead = undefined;
    readAt = performance.now();
    const published = await readKeys();
    keys = new Map(published.keys.map((key) => [String(key.kid), key]));
  }

  return async (kid: string): Promise<JWK | undefined> => {
    if (!KID.test(kid)) return undefined;
    if (!keys.has(kid) || performance.now() - readAt > KEPT_MS) await (nextRead ??= read());
    return keys.get(kid);
  };
}
