import type { JSONWebKeySet, JWK } from 'jose';
import { IdentityProviderDown } from './identityProvider';

/** The public key of this name; undefined when there is none. Throws IdentityProviderDown. */
export type FindKey = (kid: string) => Promise<JWK | undefined>;

export const GOOGLE_KEYS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';

const PATIENCE_MS = 5000;
const DEFAULT_AGE_MS = 3_600_000;
const STALE_MS = 24 * 3_600_000;
/** However many unknown names are asked for. */
const ASK_AGAIN_MS = 30_000;
/** With no key to go by, people are waiting. */
const ASK_SOON_MS = 2000;

interface Kept {
  keys: Map<string, JWK>;
  freshUntil: number;
}

interface Source {
  url: string;
  now: () => Date;
  send?: typeof fetch;
}

function ageOf(response: Response): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/.exec(response.headers.get('cache-control') ?? '')?.[1];
  return seconds === undefined ? DEFAULT_AGE_MS : Number(seconds) * 1000;
}

async function fetchKeys({ url, now, send = fetch }: Source): Promise<Kept> {
  const response = await send(url, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw new Error(`the keys answered ${response.status}`);
  const { keys } = (await response.json()) as JSONWebKeySet;
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('there were no keys');
  return { keys: new Map(keys.map((key) => [String(key.kid), key])), freshUntil: now().getTime() + ageOf(response) };
}

/** Keeps Google's keys as long as their headers say, and longer when they cannot be had. */
export function googleKeys(source: Source): FindKey {
  let kept: Kept | undefined;
  let failed = false;
  let askedAt = -Infinity;
  let asking: Promise<void> | undefined;

  const usable = () => kept && source.now().getTime() < kept.freshUntil + STALE_MS;

  async function ask() {
    askedAt = source.now().getTime();
    try {
      kept = await fetchKeys(source);
      failed = false;
    } catch {
      failed = true;
    }
  }

  function askIfDue(): Promise<void> | undefined {
    const wait = usable() ? ASK_AGAIN_MS : ASK_SOON_MS;
    // A clock that was put back is no reason to wait for what it had said.
    const since = Math.abs(source.now().getTime() - askedAt);
    if (!asking && since >= wait) asking = ask().finally(() => (asking = undefined));
    return asking;
  }

  return async (kid) => {
    if (!kept || source.now().getTime() >= kept.freshUntil) await askIfDue();
    if (usable() && !kept!.keys.has(kid)) await askIfDue();
    if (!usable()) throw new IdentityProviderDown();
    const key = kept!.keys.get(kid);
    if (!key && failed) throw new IdentityProviderDown();
    return key;
  };
}
