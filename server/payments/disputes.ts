import { sql } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { addMs, DAY_MS } from '../db/time';
import type { PaymentContext } from './context';
import { paymentTransaction } from './paymentTransaction';
import type { Reversal } from './provider';
import { isOpenOrLostDispute, recordReversal, WON_STATUSES } from './reversals';

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
export const updateDispute = ({ db }: Pick<PaymentContext, 'db'>, intentId: string): Promise<void> =>
  paymentTransaction(db, intentId, async (tx, { order }) => {
    if (!order) return;
    await tx.execute(sql`
      update orders set dispute = (select state from ${disputeStates} disputes where intent_id = ${intentId})
      where id = ${order.id}`);
  });

/** Longer than it takes a bank to decide a dispute: https://docs.stripe.com/disputes/how-disputes-work */
const LOOK_BACK_MS = 180 * DAY_MS;

/** @returns whether the shop has taken the disputed payment, and has not stored this state of its dispute */
async function isNews({ db }: PaymentContext, { id, intentId, status }: Reversal): Promise<boolean> {
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
    if (!(await isNews(ctx, dispute))) continue;
    await recordReversal(ctx, dispute, readAt);
    await updateDispute(ctx, dispute.intentId);
  }
}
