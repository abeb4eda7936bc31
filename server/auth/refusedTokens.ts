import { rateLimited } from '../http/problems';
import type { RateLimit } from '../http/rateLimit';

const MAX_REFUSED_PER_MINUTE = 100;
const WINDOW_SECONDS = 60;
/**
 * Limits the memory. When this many networks are remembered, all are forgotten, and their tokens are counted in the
 * database again.
 */
const MAX_REMEMBERED_NETWORKS = 10_000;

/**
 * Counts the refused ID tokens of each network. Once a network has reached the limit, this is remembered in memory
 * until its window ends, so that more refused tokens from it cause no database queries. Valid tokens are not limited.
 * @returns a function that counts one refused token, and throws a 429 above the limit
 */
export function createRefusedTokenCounter({ limit, now }: { limit: RateLimit; now: () => Date }) {
  const limitedUntil = new Map<string, number>();

  function secondsLeft(network: string): number {
    const left = ((limitedUntil.get(network) ?? 0) - now().getTime()) / 1000;
    if (left > 0 && left <= WINDOW_SECONDS) return Math.ceil(left);
    limitedUntil.delete(network);
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
    if (limitedUntil.size >= MAX_REMEMBERED_NETWORKS) limitedUntil.clear();
    limitedUntil.set(network, now().getTime() + retryAfterSeconds * 1000);
    throw rateLimited(retryAfterSeconds);
  };
}
