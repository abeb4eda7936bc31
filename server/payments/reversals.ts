import { sql } from 'drizzle-orm';
import { refunds } from '../db/schema';
import type { PaymentContext } from './context';
import type { Reversal } from './provider';

/** Events about refunds and disputes. Their content is stored. The refunds are then also read at the provider. */
export const REVERSAL_EVENTS = [
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

/**
 * The times of events are whole seconds. If two events have the same time, the one whose status is later in this list
 * is newer.
 */
const STATUS_ORDER = [
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

/** Stores a refund or dispute, unless the shop does not know its intent or has stored a newer event. */
const RECORD_REVERSAL = {
  name: 'record reversal',
  text: `
insert into payment_reversals as existing (id, kind, intent_id, order_id, amount_cents, status, updated_at)
select $1, $2, $3, known_intent.order_id, $4::bigint, $5, $6::timestamptz from (
  select order_id from payments where intent_id = $3 and not of_original
  union all select order_id from payment_attempts where intent_id = $3
    and not exists (select from payments where intent_id = $3)
  limit 1
) known_intent
on conflict (id) do update
set amount_cents = excluded.amount_cents, status = excluded.status, updated_at = excluded.updated_at
where (excluded.updated_at, ${rankOf('excluded.status')}, excluded.amount_cents)
  > (existing.updated_at, ${rankOf('existing.status')}, existing.amount_cents)
returning order_id as "orderId"`,
};

/** @param at when the provider reported it */
export async function recordReversal({ db, log }: PaymentContext, reversal: Reversal, at: Date): Promise<void> {
  const { id, kind, intentId, amountCents, status } = reversal;
  const values = [id, kind, intentId, amountCents, status, at, STATUS_ORDER];
  const { rows } = await db.$client.query<{ orderId: string | null }>({ ...RECORD_REVERSAL, values });
  if (rows[0]) log.warn({ ...reversal, ...rows[0] }, 'provider reported refund or dispute');
}

const isCharge = (row: string) => sql.raw(`left(${row}.id, 3) in ('ch_', 'py_')`);

/**
 * A charge's row contains the sum of its refunds. Usually this sum only repeats the refunds' own rows. The sum is
 * larger if a refund has no row because its event never arrived.
 */
const isRepeatedCharge = sql`(${isCharge('r')} and r.amount_cents <= (
  select coalesce(sum(refund.amount_cents), 0) from payment_reversals refund
  where refund.intent_id = r.intent_id and refund.kind = 'refund' and not ${isCharge('refund')}))`;

/** SQL over a row `r` of `payment_reversals`: whether it is a refund that has succeeded or is pending. */
export const isUnfailedRefund = sql`(
  r.kind = 'refund' and r.status not in ('failed', 'canceled') and not ${isRepeatedCharge})`;
/** The states of disputes that returned no money to the customer. */
export const WON_STATUSES = sql.raw(`('won', 'warning_closed', 'prevented')`);
/** SQL over a row `r` of `payment_reversals`: whether it is a dispute that is open or lost. */
export const isOpenOrLostDispute = sql`(r.kind = 'dispute' and r.status not in ${WON_STATUSES})`;
/**
 * SQL over the rows `r` of one payment: the refunded cents. The rows of the refunds and the total in the charge's row
 * count the same money, and either can be behind. So the larger of the two counts, not their sum.
 */
export const refundedCents = sql`greatest(
  coalesce(sum(r.amount_cents) filter (where not ${isCharge('r')}), 0),
  coalesce(max(r.amount_cents) filter (where ${isCharge('r')}), 0))`;
/** SQL over a row of `refunds`: whether this shop still has to make the refund, or to ask the provider about it. */
export const isUnfinishedRefund = sql`state in ('requested', 'pending') and not exists (
  select from payments p where p.intent_id = ${refunds.paymentId} and p.of_original)`;
/** SQL over a row `p` of `payments`: the cents that its recorded refunds have returned or are returning. */
export const recordedRefundCents = sql`(select coalesce(sum(recorded.amount_cents), 0) from refunds recorded
  where recorded.payment_id = p.intent_id and recorded.state in ('pending', 'succeeded'))`;
/**
 * SQL over a payment `p` with its order `o`: whether a refund of it failed and nothing has replaced it. A refund that an
 * operator paid back in another way has not failed anymore.
 */
export const hasFailedRefund = sql`(not p.of_original and p.returned_at is null and case p.outcome when 'paid' then o.refund_failed
  else not exists (select from refunds open where open.payment_id = p.intent_id and open.state in ('requested', 'pending')) end)`;
