import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { orders, payments, refunds, tools } from '../db/schema';
import type { Metrics } from '../http/metrics';
import { createDatabaseRateLimit } from '../http/rateLimit';
import type { PaymentContext } from './context';
import { findRecordedIntentIds } from './recordPayment';
import { isOpenOrLostDispute } from './disputes';
import { hasFailedRefund, isUnfinishedRefund } from './refundConditions';

/** @returns which share of the unsold stock is held by unpaid orders, from 0 to 1 */
export async function readUnpaidShareOfStock({ db }: Pick<PaymentContext, 'db'>): Promise<number> {
  const held = sql`(select coalesce(sum(${orders.quantity}), 0) from ${orders} where state = 'unpaid' and holds_stock)`;
  const available = sql`(select coalesce(sum(${tools.availableQuantity}), 0) from ${tools})`;
  const { rows } = await db.execute<{ held: string; available: string }>(
    sql`select ${held} as held, ${available} as available`,
  );
  const [heldCount, availableCount] = [Number(rows[0]!.held), Number(rows[0]!.available)];
  return heldCount + availableCount === 0 ? 0 : heldCount / (heldCount + availableCount);
}

async function countFailedRefunds({ db }: PaymentContext): Promise<number> {
  const { rows } = await db.execute<{ n: string }>(sql`
    select count(distinct p.intent_id) as n from refunds r join payments p on p.intent_id = r.payment_id
      left join orders o on o.id = p.order_id
    where r.state = 'failed' and ${hasFailedRefund}`);
  return Number(rows[0]!.n);
}

/**
 * Removes intents that turn out to be recorded, by another server or by a commit of this server whose response was
 * lost.
 */
async function countUnrecorded({ db, unrecorded }: PaymentContext): Promise<number> {
  for (const id of await findRecordedIntentIds(db, [...unrecorded])) unrecorded.delete(id);
  return unrecorded.size;
}

export function registerPaymentGauges(metrics: Metrics, ctx: PaymentContext): void {
  const { db } = ctx;
  metrics.addGauge('forgeline_unsettled_succeeded', 'Succeeded payments that are not recorded yet.', () =>
    countUnrecorded(ctx),
  );
  metrics.addGauge('forgeline_refunds_due', 'Payments that must be refunded.', () =>
    db.$count(payments, and(sql`outcome = 'refund due'`, eq(payments.ofOriginal, false), isNull(payments.returnedAt))),
  );
  metrics.addGauge(
    'forgeline_refunds',
    "The shop's own refunds that are unfinished or failed.",
    async () => ({
      unfinished: await db.$count(refunds, isUnfinishedRefund),
      failed: await countFailedRefunds(ctx),
    }),
    'state',
  );
  metrics.addGauge('forgeline_refunds_reported', 'Refunds that the provider reports, except failed ones.', () =>
    db.$count(refunds, and(isNotNull(refunds.refundId), ne(refunds.state, 'failed'))),
  );
  metrics.addGauge('forgeline_disputes_reported', 'Disputes that the provider reports as open or lost.', () =>
    db.$count(sql`payment_reversals r`, isOpenOrLostDispute),
  );
  metrics.addGauge('forgeline_stock_held_unpaid', 'Share of the unsold stock that unpaid orders hold.', () =>
    readUnpaidShareOfStock(ctx),
  );
}

const UNPAID_SHARE_TO_WARN_OF = 0.5;
const HOUR_SECONDS = 3_600;

/** The sweep calls this. All servers together log the warning at most once an hour. */
export async function warnOfHoarding({ db, now, log }: Pick<PaymentContext, 'db' | 'now' | 'log'>): Promise<void> {
  const share = await readUnpaidShareOfStock({ db });
  if (share <= UNPAID_SHARE_TO_WARN_OF) return;
  const { ok } = await createDatabaseRateLimit(db, now)('warn of stock held unpaid', 1, HOUR_SECONDS);
  if (ok) log.warn({ share: Number(share.toFixed(3)) }, 'unpaid orders hold more than half of the unsold stock');
}
