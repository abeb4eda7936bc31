import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { payments, refunds } from '../db/schema';
import { addMs, DAY_MS } from '../db/time';
import { REASON_AT_PROVIDER } from '../orders/orderQueries';
import type { PaymentContext } from './context';
import type { ProviderRefund } from './provider';
import { inBatches, logUnlessProviderDown } from './reconcile';
import { isOpenOrLostDispute, REFUSED_FOR_DISPUTE } from './disputes';
import type { RefundRow } from './paymentTransaction';
import { readAndRecordRefunds, refundStateOf } from './recordRefund';
import { nextTry, sendRefund } from './refunds';
import { isUnfinishedRefund, recordedRefundCents } from './refundConditions';

/** SQL over a row `p` of `payments`: whether it arrived too late and is still to be returned. */
export const isLateMoney = sql`(p.outcome = 'refund due' and not p.of_original and p.returned_at is null
  and not exists (select from payment_reversals r where r.intent_id = p.intent_id and ${isOpenOrLostDispute}))`;

/**
 * Requests refunds of payments that could not pay for their orders, usually because they arrived too late. Skips
 * disputed payments, because a dispute already returns the money.
 */
export async function refundLatePayments({ db, log, settings }: PaymentContext): Promise<void> {
  if (!settings.refundLate) return;
  const { rowCount } = await db.execute(sql`
    insert into refunds (payment_id, intent_id, order_id, amount_cents, currency, reason)
    select intent_id, case when not exists (select from refunds b where b.intent_id = p.intent_id) then intent_id end, order_id, amount_cents - ${recordedRefundCents}, currency, reason
    from payments p
    where ${isLateMoney} and amount_cents > ${recordedRefundCents} and not exists (
      select from refunds b where b.payment_id = p.intent_id and (b.state = 'requested' or b.state = 'failed' and b.reason <> ${REASON_AT_PROVIDER}))
    for no key update
    on conflict do nothing`);
  if (rowCount) log.warn({ payments: rowCount }, 'refunding late payments');
}

/** Requests a refund of late money again if it was refused because of a dispute that has since been won. */
export async function refundAfterDisputes({ db, settings }: PaymentContext): Promise<void> {
  if (!settings.refundLate) return;
  await db.update(refunds).set(nextTry).where(sql`
    state = 'failed' and error = ${REFUSED_FOR_DISPUTE}
    and exists (select from payments p where p.intent_id = ${refunds.paymentId} and ${isLateMoney})
    and exists (select from payment_reversals r where r.intent_id = ${refunds.paymentId} and r.kind = 'dispute')`);
}

/** A sweep checks at most this many refunds: those that were not checked for the longest time. */
const MAX_REFUNDS_PER_SWEEP = 50;

/**
 * Chooses the refunds that this sweep checks, and sets `checked_at` of the pending ones. For requested refunds,
 * `checked_at` is a lease that `sendRefund` sets.
 */
async function chooseOpenRefunds({
  db,
  now,
}: PaymentContext): Promise<Pick<RefundRow, 'id' | 'paymentId' | 'state'>[]> {
  const open = await db
    .select({ id: refunds.id, paymentId: refunds.paymentId, state: refunds.state })
    .from(refunds)
    .where(isUnfinishedRefund)
    .orderBy(sql`checked_at nulls first`)
    .limit(MAX_REFUNDS_PER_SWEEP);
  const pending = open.filter(({ state }) => state === 'pending').map(({ id }) => id);
  if (pending.length > 0) await db.update(refunds).set({ checkedAt: now() }).where(inArray(refunds.id, pending));
  return open;
}

/** Sends requested refunds, and reads the state of pending ones at the provider. */
export async function checkOpenRefunds(ctx: PaymentContext): Promise<void> {
  for (const { id, paymentId, state } of await chooseOpenRefunds(ctx)) {
    if (ctx.closing.aborted) return;
    await (state === 'requested' ? sendRefund(ctx, id) : readAndRecordRefunds(ctx, paymentId)).catch(
      logUnlessProviderDown(ctx, paymentId, 'could not check refund'),
    );
  }
}

/** Yields, in batches, the provider's refunds of payments that this shop has taken. */
export async function* listKnownRefunds(
  { db, provider, closing }: Pick<PaymentContext, 'db' | 'provider'> & { closing?: AbortSignal },
  since: Date,
): AsyncGenerator<ProviderRefund[]> {
  for await (const batch of inBatches(provider.listRefundsSince(since), closing)) yield filterKnown(db, batch);
}

async function filterKnown(db: Db, listed: ProviderRefund[]): Promise<ProviderRefund[]> {
  const ids = listed.map(({ intentId }) => intentId);
  const isOwn = and(inArray(payments.intentId, ids), eq(payments.ofOriginal, false));
  const rows = await db.select({ id: payments.intentId }).from(payments).where(isOwn);
  const known = new Set(rows.map(({ id }) => id));
  return listed.filter(({ intentId }) => known.has(intentId));
}

/** @returns the intents whose listed refunds are missing in the database or have another state there */
async function findIntentsThatDiffer(db: Db, listed: ProviderRefund[]): Promise<string[]> {
  const ids = listed.map(({ id }) => id);
  const { refundId, state } = getTableColumns(refunds);
  const rows = await db.select({ refundId, state }).from(refunds).where(inArray(refundId, ids));
  const stateById = new Map(rows.map((row) => [row.refundId, row.state]));
  const different = listed.filter((refund) => stateById.get(refund.id) !== refundStateOf(refund));
  return [...new Set(different.map(({ intentId }) => intentId))];
}

/** A refund can fail up to 30 days after it was made: https://docs.stripe.com/refunds */
const LOOK_BACK_MS = 30 * DAY_MS;

/**
 * Records refunds that the shop missed, because their events never arrived: refunds that someone made at the provider,
 * and refunds that succeeded at first and then failed.
 */
export async function recordMissedRefunds(ctx: PaymentContext): Promise<void> {
  for await (const batch of listKnownRefunds(ctx, addMs(ctx.now(), -LOOK_BACK_MS)))
    for (const intentId of await findIntentsThatDiffer(ctx.db, batch))
      await readAndRecordRefunds(ctx, intentId).catch(logUnlessProviderDown(ctx, intentId, 'could not check refund'));
}
