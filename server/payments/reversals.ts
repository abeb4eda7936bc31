import { sql } from 'drizzle-orm';
import type { PaymentContext } from './context';
import type { PaymentEvent, Reversal } from './provider';

/** Refunds and disputes. Their events are signed, so what they say is recorded. */
export const REVERSAL_EVENTS = [
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

/** Of two events of the same second, the one with the later status here is the newer. */
const LATER = [
  'warning_needs_response',
  'warning_under_review',
  'needs_response',
  'under_review',
  'succeeded',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
  'warning_closed',
  'prevented',
  'won',
  'canceled',
  'failed',
];
const rankOf = (status: string) => `coalesce(array_position($7::text[], ${status}), 0)`;

/** Payments that this shop has not recorded are ignored, and so are events older than what is known. */
const RECORD = {
  name: 'record reversal',
  text: `
insert into payment_reversals as known (id, kind, intent_id, order_id, amount_cents, status, updated_at)
select $1, $2, $3, ours.order_id, $4::bigint, $5, $6::timestamptz from (
  select order_id from payments where intent_id = $3
  union all select order_id from payment_attempts where intent_id = $3
  limit 1
) ours
on conflict (id) do update
set amount_cents = excluded.amount_cents, status = excluded.status, updated_at = excluded.updated_at
where (excluded.updated_at, ${rankOf('excluded.status')}, excluded.amount_cents)
  > (known.updated_at, ${rankOf('known.status')}, known.amount_cents)
returning order_id as "orderId"`,
};

async function record({ db, log }: PaymentContext, reversal: Reversal, at: Date): Promise<void> {
  const { id, kind, intentId, amountCents, status } = reversal;
  const values = [id, kind, intentId, amountCents, status, at, LATER];
  const { rows } = await db.$client.query<{ orderId: string | null }>({ ...RECORD, values });
  if (rows[0]) log.warn({ ...reversal, ...rows[0] }, 'provider reports a refund or dispute');
}

export async function recordReversals(ctx: PaymentContext, { reversals, createdAt }: PaymentEvent): Promise<void> {
  for (const reversal of reversals) await record(ctx, reversal, createdAt);
}

const isCharge = (row: string) => sql.raw(`left(${row}.id, 3) in ('ch_', 'py_')`);

/** A charge repeats what its refunds say, unless one of them was not heard of. */
const repeats = sql`(${isCharge('r')} and r.amount_cents <= (
  select coalesce(sum(one.amount_cents), 0) from payment_reversals one
  where one.intent_id = r.intent_id and one.kind = 'refund' and not ${isCharge('one')}))`;

/** Of `payment_reversals r`: money that went back to the customer, or is on its way. */
export const isRefund = sql`(r.kind = 'refund' and r.status not in ('failed', 'canceled') and not ${repeats})`;
/** Of `payment_reversals r`: not decided yet, or lost. */
export const isDispute = sql`(r.kind = 'dispute' and r.status not in ('won', 'warning_closed', 'prevented'))`;
/** The cents of refunds and of the charges that repeat them in part. */
export const refundedCents = sql`greatest(
  coalesce(sum(r.amount_cents) filter (where not ${isCharge('r')}), 0),
  coalesce(max(r.amount_cents) filter (where ${isCharge('r')}), 0))`;
