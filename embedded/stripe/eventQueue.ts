import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { Db } from './sandboxOptions';
import { sandboxEvents } from './schema';

export type EventRow = typeof sandboxEvents.$inferSelect;

export const BATCH_SIZE = 10;
/** A lease. If the server that claimed an event has not delivered it within this time, another server sends it. */
const LEASE_MS = 60_000;
const MAX_RETRY_DELAY_MS = 3_600_000;
const MAX_AGE_MS = 3 * 24 * 3_600_000;

const addMs = (moment: Date, ms: number) => new Date(moment.getTime() + ms);
const retryDelayMs = (attempts: number) => Math.min(1000 * 2 ** attempts, MAX_RETRY_DELAY_MS);

const dueAt = (moment: Date) =>
  and(
    isNull(sandboxEvents.deliveredAt),
    lte(sandboxEvents.nextAttemptAt, moment),
    gt(sandboxEvents.createdAt, addMs(moment, -MAX_AGE_MS)),
  );

const oldestFirst = (a: EventRow, b: EventRow) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/**
 * Claims due events by moving their next attempt to the end of the lease. If this server dies, another server sends
 * them then.
 */
export async function claimEvents(db: Db, now: Date): Promise<EventRow[]> {
  const due = db
    .select({ id: sandboxEvents.id })
    .from(sandboxEvents)
    .where(dueAt(now))
    .orderBy(asc(sandboxEvents.createdAt), asc(sandboxEvents.id))
    .limit(BATCH_SIZE)
    .for('update', { skipLocked: true });
  const claimed = await db
    .update(sandboxEvents)
    .set({ nextAttemptAt: addMs(now, LEASE_MS) })
    .where(sql`${sandboxEvents.id} = any(array(${due}))`)
    .returning();
  return claimed.map((event) => ({ ...event, nextAttemptAt: now })).sort(oldestFirst);
}

export async function markDelivered(db: Db, events: EventRow[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const ids = sql.param(events.map(({ id }) => id));
  await db
    .update(sandboxEvents)
    .set({ attempts: sql`${sandboxEvents.attempts} + 1`, deliveredAt: now })
    .where(sql`${sandboxEvents.id} = any(${ids}::text[])`);
}

export async function scheduleRetry(db: Db, event: EventRow, now: Date): Promise<void> {
  const attempts = event.attempts + 1;
  await db
    .update(sandboxEvents)
    .set({ attempts, nextAttemptAt: addMs(now, retryDelayMs(attempts)) })
    .where(eq(sandboxEvents.id, event.id));
}

export async function releaseEvent(db: Db, event: EventRow): Promise<void> {
  await db.update(sandboxEvents).set({ nextAttemptAt: event.nextAttemptAt }).where(eq(sandboxEvents.id, event.id));
}
