import type { JSONWebKeySet, JWK } from 'jose';
import { DAY_MS, HOUR_MS } from '../db/time';
import { identityProviderDown } from '../http/problems';

/**
 * @returns the public key with this id, or undefined
 * @throws 503 if the provider's keys cannot be fetched
 */
export type FindKey = (kid: string) => Promise<JWK | undefined>;

export const GOOGLE_KEYS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';

const FETCH_TIMEOUT_MS = 5000;
const DEFAULT_MAX_AGE_MS = HOUR_MS;
const MAX_STALE_MS = DAY_MS;
/**
 * The minimum time between two reloads. Anyone can send tokens with unknown key ids, and these must not cause more
 * reloads.
 */
const MIN_RELOAD_INTERVAL_MS = 30_000;
/** Replaces `MIN_RELOAD_INTERVAL_MS` while there is no usable key, because then nobody can sign in. */
const MIN_RETRY_INTERVAL_MS = 2000;

interface CachedKeys {
  keys: Map<string, JWK>;
  freshUntil: number;
}

interface KeySource {
  url: string;
  now: () => Date;
  send?: typeof fetch;
}

function maxAgeOf(response: Response): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/.exec(response.headers.get('cache-control') ?? '')?.[1];
  return seconds === undefined ? DEFAULT_MAX_AGE_MS : Number(seconds) * 1000;
}

async function fetchKeys({ url, now, send = fetch }: KeySource): Promise<CachedKeys> {
  const response = await send(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`the key server responded with ${response.status}`);
  const { keys } = (await response.json()) as JSONWebKeySet;
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('the key server returned no keys');
  return { keys: new Map(keys.map((key) => [String(key.kid), key])), freshUntil: now().getTime() + maxAgeOf(response) };
}

/**
 * Caches Google's keys for as long as their `cache-control` header allows. While Google cannot be reached, the cached
 * keys are used for up to one more day.
 */
export function createGoogleKeyFinder(source: KeySource): FindKey {
  let cached: CachedKeys | undefined;
  let hasFailed = false;
  let reloadedAt = -Infinity;
  let reloading: Promise<void> | undefined;

  const isUsable = () => cached && source.now().getTime() < cached.freshUntil + MAX_STALE_MS;

  async function reload() {
    reloadedAt = source.now().getTime();
    try {
      cached = await fetchKeys(source);
      hasFailed = false;
    } catch {
      hasFailed = true;
    }
  }

  function reloadIfDue(): Promise<void> | undefined {
    const wait = isUsable() ? MIN_RELOAD_INTERVAL_MS : MIN_RETRY_INTERVAL_MS;
    // Uses the absolute difference. Otherwise, after the clock was set back, no keys would be loaded until it has
    // caught up.
    const since = Math.abs(source.now().getTime() - reloadedAt);
    if (!reloading && since >= wait) reloading = reload().finally(() => (reloading = undefined));
    return reloading;
  }

  return async (kid) => {
    if (!cached || source.now().getTime() >= cached.freshUntil) await reloadIfDue();
    if (isUsable() && !cached!.keys.has(kid)) await reloadIfDue();
    if (!isUsable()) throw identityProviderDown();
    const key = cached!.keys.get(kid);
    if (!key && hasFailed) throw identityProviderDown();
    return key;
  };
}
