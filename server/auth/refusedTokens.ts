import type { Deps } from '../deps';
import { rateLimited } from '../http/problems';

const MAX_REFUSED_PER_MINUTE = 100;
const WINDOW_SECONDS = 60;
/**
 * Limits the memory. When this many networks are blocked, the list is emptied, and their tokens are counted in the
 * database again.
 */
const MAX_BLOCKED_NETWORKS = 10_000;

/**
 * Counts the refused ID tokens of each network. Once a network has reached the limit, it is blocked in memory until its
 * window ends, so that more tokens from it cause no database queries.
 * @throws 429 above the limit
 */
export function createRefusedTokenCounter({ limit, now }: Pick<Deps, 'limit' | 'now'>) {
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
    const { ok, retryAfterSeconds } = await limit(
      `put-user:refused:${network}`,
      MAX_REFUSED_PER_MINUTE,
      WINDOW_SECONDS,
    );
    if (ok) return;
    if (blockedUntil.size >= MAX_BLOCKED_NETWORKS) blockedUntil.clear();
    blockedUntil.set(network, now().getTime() + retryAfterSeconds * 1000);
    throw rateLimited(retryAfterSeconds);
  };
}
