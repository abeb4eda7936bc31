import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { orders, payments, tools } from '../db/schema';
import type { Metrics } from '../http/metrics';
import { databaseRateLimit } from '../http/rateLimit';
import type { PaymentContext } from './context';
import { recordedOf } from './recordPayment';
import { isDispute, isRefund } from './reversals';

export async function shareHeldUnpaid({ db }: Pick<PaymentContext, 'db'>): Promise<number> {
  const held = sql`(select coalesce(sum(${orders.quantity}), 0) from ${orders} where state = 'unpaid' and holds_stock)`;
  const { rows } = await db.execute<{ held: string; free: string }>(
    sql`select ${held} as held, (select coalesce(sum(${tools.availableQuantity}), 0) from ${tools}) as free`,
  );
  const { held: taken, free } = { held: Number(rows[0]!.held), free: Number(rows[0]!.free) };
  return taken + free === 0 ? 0 : taken / (taken + free);
}

async function countReversals({ db }: PaymentContext, which: SQL): Promise<number> {
  const { rows } = await db.execute<{ n: string }>(sql`select count(*) as n from payment_reversals r where ${which}`);
  return Number(rows[0]!.n);
}

/** Another copy, or a commit whose answer was lost, may have written down what this one saw. */
async function countUnrecorded({ db, unrecorded }: PaymentContext): Promise<number> {
  for (const id of await recordedOf(db, [...unrecorded])) unrecorded.delete(id);
  return unrecorded.size;
}

export function registerPaymentGauges(metrics: Metrics, ctx: PaymentContext): void {
  const { db } = ctx;
  metrics.gauge('forgeline_unsettled_succeeded', 'Payments seen to have succeeded and not written down yet.', () =>
    countUnrecorded(ctx),
  );
  metrics.gauge('forgeline_refunds_due', 'Payments that are to be given back.', () =>
    db.$count(payments, and(eq(payments.outcome, 'refund due'), isNull(payments.returnedAt))),
  );
  metrics.gauge('forgeline_refunds_reported', 'Refunds that the provider reports, without failed ones.', () =>
    countReversals(ctx, isRefund),
  );
  metrics.gauge('forgeline_disputes_reported', 'Disputes that the provider reports as open or lost.', () =>
    countReversals(ctx, isDispute),
  );
  metrics.gauge('forgeline_stock_held_unpaid', 'Share of the stock not sold that unpaid orders hold.', () =>
    shareHeldUnpaid(ctx),
  );
}

const TOO_MUCH = 0.5;
const HOUR_SECONDS = 3_600;

/** A part of the sweep. Warns at most once an hour, over all copies of the server. */
export async function watchHoarding({ db, now, log }: Pick<PaymentContext, 'db' | 'now' | 'log'>): Promise<void> {
  const share = await shareHeldUnpaid({ db });
  if (share <= TOO_MUCH) return;
  const { ok } = await databaseRateLimit(db, now)('warn of stock held unpaid', 1, HOUR_SECONDS);
  if (ok) log.warn({ share: Number(share.toFixed(3)) }, 'more than half of all stock is held unpaid');
}
