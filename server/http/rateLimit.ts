import { inArray, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/database';
import { rateLimits } from '../db/schema';
import type { Settings } from '../settings/settings';
import type { App } from './fastify';
import { networkOf } from './network';
import { rateLimited } from './problems';

const LOCAL_WINDOW_MS = 10_000;
/** More requests than a customer, or an office behind one IP address, sends in ten seconds. */
const MAX_REQUESTS_PER_LOCAL_WINDOW = 2_000;
const MAX_CALLS_PER_MINUTE = 60;

/** Counts one hit in a bucket, which may have at most `max` hits in a window. */
export type RateLimit = (
  bucket: string,
  max: number,
  windowSeconds: number,
) => Promise<{ ok: boolean; retryAfterSeconds: number }>;

export const noRateLimit: RateLimit = async () => ({ ok: true, retryAfterSeconds: 0 });

/** Counts in the database with one statement, so that a limit applies to all servers together. */
export function createDatabaseRateLimit(db: Db, now: () => Date): RateLimit {
  return async (bucket, max, windowSeconds) => {
    const at = now();
    const isExpired = sql`${rateLimits.resetsAt} <= ${at.toISOString()}::timestamptz`;
    const [row] = await db
      .insert(rateLimits)
      .values({ bucket, hits: 1, resetsAt: new Date(at.getTime() + windowSeconds * 1000) })
      .onConflictDoUpdate({
        target: rateLimits.bucket,
        set: {
          hits: sql`case when ${isExpired} then 1 else least(${rateLimits.hits} + 1, ${max + 1}::integer) end`,
          resetsAt: sql`case when ${isExpired} then excluded.resets_at else ${rateLimits.resetsAt} end`,
        },
      })
      .returning();
    if (!row || row.hits <= max) return { ok: true, retryAfterSeconds: 0 };
    return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((row.resetsAt.getTime() - at.getTime()) / 1000)) };
  };
}

/** Undoes one hit in each bucket. Hits are counted before it is known whether they should count. */
export async function undoHit(db: Db, buckets: string[]): Promise<void> {
  await db
    .update(rateLimits)
    .set({ hits: sql`greatest(${rateLimits.hits} - 1, 0)` })
    .where(inArray(rateLimits.bucket, buckets));
}

/**
 * Limits how many requests of one kind a user may send in a minute to all servers together. Must run after
 * `requireUser`.
 */
export const limitCallsPerMinute = (limit: RateLimit, call: string) => async (request: FastifyRequest) => {
  const { ok, retryAfterSeconds } = await limit(`${call} ${request.user.id}`, MAX_CALLS_PER_MINUTE, 60);
  if (!ok) throw rateLimited(retryAfterSeconds);
};

/**
 * Counts each network's requests in the memory of this process, so that refusing a flood takes no database query.
 */
export function registerAddressLimit(app: App, { rateLimit }: Pick<Settings, 'rateLimit'>): void {
  if (!rateLimit) return;
  let counts = new Map<string, number>();
  let windowEnd = 0;
  app.addHook('onRequest', (request, _reply, done) => {
    const now = performance.now();
    if (now >= windowEnd) {
      counts = new Map();
      windowEnd = now + LOCAL_WINDOW_MS;
    }
    const network = networkOf(request.ip);
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    done(count > MAX_REQUESTS_PER_LOCAL_WINDOW ? rateLimited(Math.ceil((windowEnd - now) / 1000)) : undefined);
  });
}
