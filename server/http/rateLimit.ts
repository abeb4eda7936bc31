import { inArray, lt, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/database';
import { rateLimits } from '../db/schema';
import type { Settings } from '../settings';
import type { App } from './fastify';
import { networkOf } from './network';
import { rateLimited } from './problems';

const LOCAL_WINDOW_MS = 10_000;
/** Far above what a person or an office behind one address does. */
const REQUESTS_PER_LOCAL_WINDOW = 2_000;
const CALLS_PER_MINUTE = 60;

/** Counts one hit of a bucket. @returns whether the hit is within the limit */
export type RateLimit = (
  bucket: string,
  max: number,
  windowSeconds: number,
) => Promise<{ ok: boolean; retryAfterSeconds: number }>;

export const noRateLimit: RateLimit = async () => ({ ok: true, retryAfterSeconds: 0 });

/** Counts in the database, in one statement, so that a limit holds across all copies of the server. */
export function databaseRateLimit(db: Db, now: () => Date): RateLimit {
  return async (bucket, max, windowSeconds) => {
    const at = now();
    const over = sql`${rateLimits.resetsAt} <= ${at.toISOString()}::timestamptz`;
    const [row] = await db
      .insert(rateLimits)
      .values({ bucket, hits: 1, resetsAt: new Date(at.getTime() + windowSeconds * 1000) })
      .onConflictDoUpdate({
        target: rateLimits.bucket,
        set: {
          hits: sql`case when ${over} then 1 else least(${rateLimits.hits} + 1, ${max + 1}::integer) end`,
          resetsAt: sql`case when ${over} then excluded.resets_at else ${rateLimits.resetsAt} end`,
        },
      })
      .returning();
    if (!row || row.hits <= max) return { ok: true, retryAfterSeconds: 0 };
    return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((row.resetsAt.getTime() - at.getTime()) / 1000)) };
  };
}

/** Undoes one hit. A limit on failures counts before it knows the outcome. */
export async function undoHit(db: Db, buckets: string[]): Promise<void> {
  await db
    .update(rateLimits)
    .set({ hits: sql`greatest(${rateLimits.hits} - 1, 0)` })
    .where(inArray(rateLimits.bucket, buckets));
}

export async function forgetPastLimits(db: Db, now: Date): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, now));
}

/** Limits one person's calls per minute across all copies of the server. It runs after the check of who they are. */
export const limitWrites = (limit: RateLimit, call: string) => async (request: FastifyRequest) => {
  const { ok, retryAfterSeconds } = await limit(`${call} ${request.user.id}`, CALLS_PER_MINUTE, 60);
  if (!ok) throw rateLimited(retryAfterSeconds);
};

/** Limits one address in this process, without a statement. Limits across all copies are counted in the database. */
export function registerLocalLimit(app: App, { rateLimit }: Pick<Settings, 'rateLimit'>): void {
  if (!rateLimit) return;
  let counts = new Map<string, number>();
  let ends = 0;
  app.addHook('onRequest', (request, _reply, done) => {
    const now = performance.now();
    if (now >= ends) {
      counts = new Map();
      ends = now + LOCAL_WINDOW_MS;
    }
    const network = networkOf(request.ip);
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    done(count > REQUESTS_PER_LOCAL_WINDOW ? rateLimited(Math.ceil((ends - now) / 1000)) : undefined);
  });
}
