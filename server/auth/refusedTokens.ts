import type { Deps } from '../deps';
import { rateLimited } from '../http/problems';

const REFUSED_A_MINUTE = 100;
const WINDOW_SECONDS = 60;
/** Bounds the memory: networks beyond it are counted in the database again. */
const MOST_NETWORKS = 10_000;

/**
 * Counts the refused ID tokens of a network, apart from the people whom a token proves. A network that is over the
 * limit is remembered here until its time is over, so that more of the same costs no statement.
 * @throws 429 above the limit
 */
export function refusedTokens({ limit, now }: Pick<Deps, 'limit' | 'now'>) {
  const blockedUntil = new Map<string, number>();

  function secondsLeft(network: string): number {
    const left = ((blockedUntil.get(network) ?? 0) - now().getTime()) / 1000;
    if (left > 0 && left <= WINDOW_SECONDS) return Math.ceil(left);
    blockedUntil.delete(network);
    return 0;
  }

  return async function countRefusedToken(network: string): Promise<void> {
    const left = secondsLeft(network);
    if (left > 0) throw rateLimited(left);
    const { ok, retryAfterSeconds } = await limit(`put-user:refused:${network}`, REFUSED_A_MINUTE, WINDOW_SECONDS);
    if (ok) return;
    if (blockedUntil.size >= MOST_NETWORKS) blockedUntil.clear();
    blockedUntil.set(network, now().getTime() + retryAfterSeconds * 1000);
    throw rateLimited(retryAfterSeconds);
  };
}
