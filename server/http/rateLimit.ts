import { inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { rateLimits } from '../db/schema';

export type RateLimit = (
  bucket: string,
  max: number,
  windowSeconds: number,
) => Promise<{ ok: boolean; retryAfterSeconds: number }>;

export const noRateLimit: RateLimit = async () => ({ ok: true, retryAfterSeconds: 0 });

/** Counts in the database, in one statement, so that a limit holds over all copies of the server. */
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

/** Takes one hit back: for what counts failures, and has to count before it knows. */
export async function forgive(db: Db, buckets: string[]): Promise<void> {
  await db
    .update(rateLimits)
    .set({ hits: sql`greatest(${rateLimits.hits} - 1, 0)` })
    .where(inArray(rateLimits.bucket, buckets));
}

export async function forgetPastLimits(db: Db, now: Date): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, now));
}
