import { and, eq, lt, notExists } from 'drizzle-orm';
import type { Db } from './options';
import { sandboxEvents, sandboxIdempotency, sandboxIntents, sandboxPaymentMethods } from './schema';

const DAY_MS = 24 * 3_600_000;
const EVENTS_KEPT_DAYS = 30;

/** Drops what Stripe drops too: keys after a day, events after thirty, and cards that were never used. */
export async function sweepSandbox(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db.delete(sandboxIdempotency).where(lt(sandboxIdempotency.createdAt, before(1)));
  await db.delete(sandboxEvents).where(lt(sandboxEvents.createdAt, before(EVENTS_KEPT_DAYS)));
  const users = db.select().from(sandboxIntents).where(eq(sandboxIntents.paymentMethodId, sandboxPaymentMethods.id));
  await db.delete(sandboxPaymentMethods).where(and(lt(sandboxPaymentMethods.createdAt, before(1)), notExists(users)));
}
