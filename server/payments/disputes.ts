import { sql, type SQL } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { addMs, DAY_MS } from '../db/time';
import type { PaymentContext } from './context';
import { paymentTransaction } from './paymentTransaction';
import type { ProviderDispute } from './provider';

/** The states of disputes that returned no money to the customer. */
const WON_STATUSES = sql.raw(`('won', 'warning_closed', 'prevented')`);
/** SQL over a row `r` of `payment_reversals`: whether it is a dispute that is open or lost. */
export const isOpenOrLostDispute = sql`(r.kind = 'dispute' and r.status not in ${WON_STATUSES})`;

/** The state of each payment's disputes as its order shows it. An open dispute counts first, and then a lost one. */
export const disputeStates = sql`(
  select intent_id, case when bool_and(status in ${WON_STATUSES}) then 'won'
    when bool_or(status <> 'lost' and status not in ${WON_STATUSES}) then 'open' else 'lost' end as state
  from payment_reversals where kind = 'dispute' group by intent_id)`;

/** The provider's code for refusing a refund of a disputed payment. */
export const REFUSED_FOR_DISPUTE = 'charge_disputed';

/** @returns whether a dispute over this payment is open or lost. A refund would then pay the customer twice. */
export async function hasOpenOrLostDispute(tx: Tx, intentId: string): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`select from payment_reversals r where r.intent_id = ${intentId} and ${isOpenOrLostDispute} limit 1`,
  );
  return rowCount !== 0;
}

/** Reads the state under the order's lock, because otherwise an older state could overwrite a newer one. */
const updateDispute = ({ db }: Pick<PaymentContext, 'db'>, intentId: string): Promise<void> =>
  paymentTransaction(db, intentId, async (tx, { order }) => {
    if (!order) return;
    await tx.execute(sql`
      update orders set dispute = (select state from ${disputeStates} disputes where intent_id = ${intentId})
      where id = ${order.id}`);
  });

/**
 * The times of events are whole seconds. If two events have the same time, the one whose status is later in this list
 * is newer.
 */
const STATUS_ORDER = [
  'warning_needs_response',
  'warning_under_review',
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
  'warning_closed',
  'prevented',
  'won',
];
const rankOf = (status: SQL) => sql`coalesce(array_position(${sql.param(STATUS_ORDER)}::text[], ${status}), 0)`;

/**
 * Stores a dispute, unless the shop does not know its intent or has stored a newer event, and shows its state.
 * @param at when the provider reported it
 */
export async function recordDispute(ctx: PaymentContext, dispute: ProviderDispute, at: Date): Promise<void> {
  const { id, intentId, amountCents, status } = dispute;
  // A dispute over no money changes nothing.
  if (amountCents <= 0) return;
  const { rows } = await ctx.db.execute<{ orderId: string | null }>(sql`
    insert into payment_reversals as existing (id, kind, intent_id, order_id, amount_cents, status, updated_at)
    select ${id}, 'dispute', ${intentId}, known_intent.order_id, ${amountCents}::bigint, ${status}, ${at.toISOString()}::timestamptz from (
      select order_id from payments where intent_id = ${intentId} and not of_original
      union all select order_id from payment_attempts where intent_id = ${intentId}
        and not exists (select from payments where intent_id = ${intentId})
      limit 1
    ) known_intent
    on conflict (id) do update
    set amount_cents = excluded.amount_cents, status = excluded.status, updated_at = excluded.updated_at
    where (excluded.updated_at, ${rankOf(sql`excluded.status`)}, excluded.amount_cents)
      > (existing.updated_at, ${rankOf(sql`existing.status`)}, existing.amount_cents)
    returning order_id as "orderId"`);
  if (rows[0]) ctx.log.warn({ ...dispute, ...rows[0] }, 'provider reported dispute');
  await updateDispute(ctx, intentId);
}

/** Longer than it takes a bank to decide a dispute: https://docs.stripe.com/disputes/how-disputes-work */
const LOOK_BACK_MS = 180 * DAY_MS;

/** @returns whether the shop has taken the disputed payment, and has not stored this state of its dispute */
async function isNews({ db }: PaymentContext, { id, intentId, status }: ProviderDispute): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select from payments where intent_id = ${intentId} and not of_original
    and not exists (select from payment_reversals where id = ${id} and status = ${status})`);
  return rowCount !== 0;
}

async function findIntentsShownWrongly({ db }: PaymentContext): Promise<string[]> {
  const { rows } = await db.execute<{ intentId: string }>(sql`
    select intent_id as "intentId" from ${disputeStates} disputes
    join payments p using (intent_id) join orders o on o.id = p.order_id
    where p.outcome = 'paid' and o.dispute is distinct from disputes.state`);
  return rows.map(({ intentId }) => intentId);
}

/**
 * Records disputes that the shop missed, because their events never arrived. An event of this second may be newer, and
 * its time has no fraction.
 */
export async function recordMissedDisputes(ctx: PaymentContext): Promise<void> {
  for (const intentId of await findIntentsShownWrongly(ctx)) await updateDispute(ctx, intentId);
  const readAt = new Date(Math.floor(ctx.now().getTime() / 1000) * 1000);
  for await (const dispute of ctx.provider.listDisputesSince(addMs(readAt, -LOOK_BACK_MS))) {
    if (ctx.closing.aborted) return;
    if (await isNews(ctx, dispute)) await recordDispute(ctx, dispute, readAt);
  }
}
