import { sql, type SQL } from 'drizzle-orm';
import { CENTS_PER_DOLLAR } from '../../src/contract/limits';
import { REASON_AT_PROVIDER } from '../orders/orderQueries';
import { disputeStates, isOpenOrLostDispute } from '../payments/disputes';
import type { Check } from './finding';
import { refundCode } from '../payments/paymentProblems';
import { hasFailedRefund, recordedRefundCents } from '../payments/refundConditions';

const dollarsOf = (cents: string | undefined) => `$${(Number(cents) / CENTS_PER_DOLLAR).toFixed(2)}`;
const reported = sql`string_agg(r.id || ': ' || r.status, ', ' order by r.id)`;
const orderNoteOf = (order: string | undefined) => (order ? ` (order ${order})` : '');

const selectDisputes = (condition: SQL) => sql`
  select p.intent_id as subject, p.order_id as "order",
    case when p.returned_at is null then ${recordedRefundCents} else p.amount_cents end as recorded, ${reported} as reported
  from payment_reversals r join payments p on p.intent_id = r.intent_id and not p.of_original
  where ${condition} group by p.intent_id`;

/** SQL over a payment `p`. While a dispute is open or after it was lost, paying back could pay the customer twice. */
const isUndisputed = sql`not exists (
  select from payment_reversals r where r.intent_id = p.intent_id and ${isOpenOrLostDispute})`;

/** A refund that succeeded and is recorded is no finding. */
export const REFUND_CHECKS: Check[] = [
  {
    name: 'refund_due',
    query: sql`
      select intent_id as subject, order_id as "order", amount_cents - ${recordedRefundCents} as amount, currency, reason
      from payments p where outcome = 'refund due' and not of_original and returned_at is null
        and not exists (select from refunds b where b.payment_id = p.intent_id and (
          b.state in ('requested', 'pending') or b.state = 'failed' and b.reason <> ${REASON_AT_PROVIDER}))
        and ${isUndisputed}`,
    describe: ({ subject, amount, currency, reason, order }) =>
      `${amount} cents (${currency}) must be refunded${orderNoteOf(order)}. Reason: ${reason}. Code ${refundCode(subject!)}.`,
  },
  {
    name: 'refund_failed',
    query: sql`
      select distinct on (p.intent_id) p.intent_id as subject, b.order_id as "order", b.error, b.amount_cents as cents,
        p.amount_cents - ${recordedRefundCents} as "left"
      from refunds b join payments p on p.intent_id = b.payment_id left join orders o on o.id = p.order_id
      where b.state = 'failed' and (p.outcome = 'paid' or b.reason <> ${REASON_AT_PROVIDER}) and ${hasFailedRefund} and ${isUndisputed}
      order by p.intent_id, b.updated_at desc`,
    describe: ({ subject, order, error, cents, left }) =>
      `The refund of ${dollarsOf(cents)}${orderNoteOf(order)} failed: ${error ?? 'unknown reason'}. ` +
      (left === cents
        ? 'Pay the customer back in another way'
        : `Try it again, or pay back all that is left, ${dollarsOf(left)}, in another way`) +
      `, then run "npm run doctor -- --returned ${subject}".`,
  },
  {
    name: 'refund_unfinished',
    query: sql`
      select p.intent_id as subject, b.order_id as "order", b.state, b.amount_cents as cents
      from refunds b join payments p on p.intent_id = b.payment_id
      where b.state in ('requested', 'pending') and not p.of_original and b.updated_at < now() - interval '10 minutes'`,
    describe: ({ order, state, cents }) =>
      `The refund of ${dollarsOf(cents)}${orderNoteOf(order)} has been ${state} for more than ten minutes. ` +
      "Look at the payment in the payment provider's dashboard.",
  },
  {
    name: 'refund_of_other_amount',
    query: sql`
      select p.intent_id as subject, p.order_id as "order", ${recordedRefundCents} as cents, p.amount_cents as total
      from payments p left join orders o on o.id = p.order_id and p.outcome = 'paid'
      where ${recordedRefundCents} > p.amount_cents
        or (o.state = 'refunded' and not o.refund_failed and p.returned_at is null and ${recordedRefundCents} < p.amount_cents
          and exists (select from refunds b where b.payment_id = p.intent_id)
          and not exists (select from refunds b where b.payment_id = p.intent_id and b.state = 'requested'))`,
    describe: ({ order, cents, total }) =>
      `Refunds of ${dollarsOf(cents)} of a payment of ${dollarsOf(total)} are recorded${orderNoteOf(order)}.`,
  },
  {
    name: 'refunded_without_refund',
    query: sql`
      select o.id as subject from orders o where o.state = 'refunded' and not exists (
        select from refunds b join payments p on p.intent_id = b.payment_id and p.outcome = 'paid'
        where p.order_id = o.id)`,
    describe: () => 'The order is marked as refunded, but no refund of its payment is recorded.',
  },
  {
    /** A refund of late money writes the same time to `returned_at` and `updated_at`. An earlier time is the operator's. */
    name: 'returned_and_refunded',
    query: sql`
      select p.intent_id as subject, p.order_id as "order", b.amount_cents as cents, b.state
      from payments p join refunds b on b.payment_id = p.intent_id
      where b.state <> 'failed' and p.returned_at < b.updated_at`,
    describe: ({ order, cents, state }) =>
      `${dollarsOf(cents)}${orderNoteOf(order)} was paid back in another way, and its refund is ${state}, ` +
      'so the customer can get it twice.',
  },
  {
    name: 'dispute_open',
    query: selectDisputes(sql`${isOpenOrLostDispute} and r.status <> 'lost'`),
    describe: ({ order, reported: disputes }) =>
      `A dispute is open (${disputes})${orderNoteOf(order)}. Respond to it in the payment provider's dashboard.`,
  },
  {
    name: 'dispute_lost_after_refund',
    query: selectDisputes(
      sql`r.kind = 'dispute' and r.status = 'lost' and (${recordedRefundCents} > 0 or p.returned_at is not null)`,
    ),
    describe: ({ order, recorded, reported: disputes }) =>
      `${dollarsOf(recorded)} was refunded and then lost in a dispute (${disputes})${orderNoteOf(order)}, so the customer got it twice.`,
  },
  {
    name: 'dispute_not_shown',
    query: sql`
      select o.id as subject, coalesce(o.dispute, 'none') as shown, coalesce(disputes.state, 'none') as actual
      from payments p join orders o on o.id = p.order_id left join ${disputeStates} disputes on disputes.intent_id = p.intent_id
      where p.outcome = 'paid' and o.dispute is distinct from disputes.state`,
    describe: ({ shown, actual }) =>
      `The order shows the dispute as ${shown}, but the provider reports it as ${actual}.`,
  },
  {
    name: 'mail_failed',
    query: sql`select id as subject, kind, order_id as "order", error from mails
      where state = 'failed' and created_at > now() - interval '7 days'`,
    describe: ({ kind, order, error }) =>
      `The email "${kind}"${orderNoteOf(order)} could not be sent: ${error ?? 'unknown reason'}.`,
  },
  {
    name: 'mail_waiting',
    query: sql`
      select id as subject, kind, order_id as "order", error from mails
      where state = 'queued' and created_at < now() - interval '2 hours'`,
    describe: ({ kind, order, error }) =>
      `The email "${kind}"${orderNoteOf(order)} has been queued for more than two hours: ${error ?? 'no attempt was made to send it'}.`,
  },
];
