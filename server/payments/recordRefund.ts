import { and, eq, sql } from 'drizzle-orm';
import { sumCents } from '../../src/contract/refunds';
import type { Db, Tx } from '../db/database';
import type { AtCommit } from '../db/lockedTransaction';
import { orders, payments, refunds } from '../db/schema';
import { queueMail } from '../mail/outbox';
import { REASON_AT_PROVIDER } from '../orders/orderQueries';
import { sumCentsOf } from '../orders/orderTransaction';
import { returnStock, type OrderRow } from '../orders/stock';
import type { PaymentContext } from './context';
import { takePaperNumber } from './paperNumbers';
import { paymentTransaction, type LockedPayment, type PaymentRow, type RefundRow } from './paymentTransaction';
import { isSentFor, type ProviderRefund } from './provider';

/** Maps Stripe's final states. In all others, the refund is pending. */
const STATE_BY_STATUS: Record<string, RefundRow['state']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};
export const refundStateOf = ({ status }: Pick<ProviderRefund, 'status'>) => STATE_BY_STATUS[status] ?? 'pending';

/** A refund moves only forward through these states, so that a late response or event does not move it back. */
const STATE_ORDER: RefundRow['state'][] = ['requested', 'pending', 'succeeded', 'failed'];
const isKnown = ({ refundId, state }: RefundRow, reported: ProviderRefund) =>
  refundId !== null && STATE_ORDER.indexOf(refundStateOf(reported)) <= STATE_ORDER.indexOf(state);

export async function findRefund(db: Db | Tx, id: string): Promise<RefundRow | undefined> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id));
  return refund;
}

/** SQL: the payment's id if no refund of it has the column yet, which only the previous version reads. */
export const firstOfIntent = (intentId: string) =>
  sql`(select ${intentId}::text where not exists (select from refunds where intent_id = ${intentId}))`;

/** Stores a refund that someone made at the provider. Only one of the whole payment is about pieces. */
async function storeForeignRefund(tx: Tx, { payment, order }: FoundPayment, reported: ProviderRefund) {
  const { intentId, orderId, currency } = payment;
  const { id: refundId, amountCents, createdAt } = reported;
  const stored = {
    ...{ paymentId: intentId, orderId, currency, refundId, amountCents, createdAt },
    ...{ firstOfIntent: firstOfIntent(intentId), reason: REASON_AT_PROVIDER, state: 'pending' as const },
    pieces: order && amountCents === payment.amountCents ? order.quantity : null,
  };
  const [row] = await tx.insert(refunds).values(stored).returning();
  return row!;
}

type FoundPayment = LockedPayment & { payment: PaymentRow };

/**
 * @param isAllRefunded whether the provider has returned the whole payment, so that it will make no other refund
 * @returns the row of the refund. If someone refunded at the provider what an admin requested, and the provider can
 * make no other refund, that is the requested one.
 */
async function findRow(tx: Tx, found: FoundPayment, reported: ProviderRefund, isAllRefunded: boolean) {
  const unsent = found.refunds.filter(({ refundId }) => refundId === null);
  return (
    found.refunds.find(({ refundId }) => refundId === reported.id) ??
    unsent.find((row) => isSentFor(row, reported)) ??
    unsent.find(
      ({ state, amountCents }) => isAllRefunded && state === 'requested' && amountCents === reported.amountCents,
    ) ??
    storeForeignRefund(tx, found, reported)
  );
}

/** Records the state of each reported refund. @returns the rows that have changed, with their earlier `doneAt` */
async function storeReported(tx: Tx, found: FoundPayment, listed: ProviderRefund[]): Promise<RefundRow[]> {
  const unfailed = listed.filter((reported) => refundStateOf(reported) !== 'failed');
  const isAllRefunded = unfailed.reduce((sum, { amountCents }) => sum + amountCents, 0) >= found.payment.amountCents;
  const changed: RefundRow[] = [];
  for (const reported of listed.toReversed()) {
    const row = await findRow(tx, found, reported, isAllRefunded);
    const isNew = !found.refunds.includes(row);
    if (isNew) found.refunds.push(row);
    if (!isNew && isKnown(row, reported)) continue;
    changed.push(row);
    const { id: refundId, amountCents, failureReason: error } = reported;
    const news = { state: refundStateOf(reported), refundId, amountCents, error };
    Object.assign(row, news);
    const doneAt = news.state === 'succeeded' ? { doneAt: sql`coalesce(done_at, now())` } : {};
    await tx
      .update(refunds)
      .set({ ...news, ...doneAt, updatedAt: sql`now()` })
      .where(eq(refunds.id, row.id));
  }
  return changed;
}

/** Marks a paid order as refunded. */
export const markRefunded = (tx: Tx, { id }: OrderRow) =>
  tx
    .update(orders)
    .set({ state: 'refunded', refundedAt: sql`now()` })
    .where(and(eq(orders.id, id), eq(orders.state, 'paid')));

export const setRefundFailed = (tx: Tx, { id }: OrderRow, refundFailed: boolean) =>
  tx.update(orders).set({ refundFailed }).where(eq(orders.id, id));

/** Money that arrived too late never paid for its order. So its refunds change the payment's row and not the order. */
async function markReturned(tx: Tx, payment: PaymentRow, isReturned: boolean): Promise<void> {
  if (isReturned === (payment.returnedAt !== null)) return;
  const returnedAt = isReturned ? sql`now()` : null;
  await tx.update(payments).set({ returnedAt }).where(eq(payments.intentId, payment.intentId));
  if (payment.orderId && isReturned) await queueMail(tx, 'payment returned', payment.orderId, payment.intentId);
}

/**
 * Gives a refund that takes effect its credit note: that of a failed refund of the same amount, which it replaces, or
 * the next one.
 */
export async function numberRefund(
  tx: Tx,
  { id, amountCents }: RefundRow,
  rows: RefundRow[],
  atCommit: AtCommit,
): Promise<void> {
  const failed = rows.find((row) => row.state === 'failed' && row.number !== null && row.amountCents === amountCents);
  if (failed) {
    const { number } = failed;
    failed.number = null;
    await tx.update(refunds).set({ number: null }).where(eq(refunds.id, failed.id));
    await tx.update(refunds).set({ number }).where(eq(refunds.id, id));
    return;
  }
  const { taken, number } = takePaperNumber(tx, 'credit');
  atCommit(tx.with(taken).update(refunds).set({ number }).where(eq(refunds.id, id)));
}

/**
 * A refund that an admin requested replaces the failures that were known then. One that someone made at the provider
 * replaces a failure of the same amount.
 * @returns whether a refund of the order failed and nothing has replaced it
 */
function isRefundFailed(order: OrderRow, rows: RefundRow[], changed: RefundRow[], isLeft: boolean): boolean {
  if (!isLeft) return false;
  const made = changed.filter(({ state }) => state === 'succeeded');
  const failed = rows.filter(({ state }) => state === 'failed');
  const known = failed.filter((row) => !changed.includes(row));
  const hasSameAmount = ({ amountCents }: RefundRow) =>
    made.some((row) => row.requestedBy === null && row.amountCents === amountCents);
  const failedNow = changed.filter(
    ({ state, requestedBy, doneAt }) =>
      state === 'failed' && (requestedBy !== null || doneAt !== null || order.state === 'refunded'),
  );
  if (failedNow.some((row) => !hasSameAmount(row))) return true;
  const isReplaced = made.some(({ requestedBy, createdAt }) =>
    requestedBy ? known.every(({ updatedAt }) => updatedAt <= createdAt) : failed.some(hasSameAmount),
  );
  return isReplaced ? order.state === 'refunded' : order.refundFailed;
}

/**
 * Updates the order of refunds that have changed. It stays paid until all of the money is returned.
 * @returns whether the stock has grown
 */
async function updateRefundedOrder(
  tx: Tx,
  order: OrderRow,
  { refunds: rows, payment }: FoundPayment,
  changed: RefundRow[],
  atCommit: AtCommit,
): Promise<boolean> {
  const isLeft = sumCentsOf(rows) < payment.amountCents;
  let isRestocked = false;
  for (const row of changed.filter(({ state }) => state === 'succeeded')) {
    await queueMail(tx, 'refunded', order.id, row.id);
    if (row.doneAt) continue;
    await numberRefund(tx, row, rows, atCommit);
    if (row.restockPieces === 0) continue;
    await returnStock(tx, order, row.restockPieces);
    isRestocked = true;
  }
  if (!isLeft) await markRefunded(tx, order);
  await setRefundFailed(tx, order, isRefundFailed(order, rows, changed, isLeft));
  return isRestocked;
}

/**
 * Whether an operator recorded that the money was paid back in another way: the refunds until then don't explain it.
 * What then happens to the refunds changes nothing of that.
 */
function isPaidBackOtherwise({ returnedAt, amountCents }: PaymentRow, rows: RefundRow[]): boolean {
  return returnedAt !== null && sumCentsOf(rows.filter(({ updatedAt }) => updatedAt <= returnedAt)) < amountCents;
}

/** Records refunds that the provider has reported, newest first. Calls may be repeated and may come in any order. */
export async function recordRefunds(ctx: PaymentContext, intentId: string, listed: ProviderRefund[]): Promise<void> {
  const restockedTool = await paymentTransaction(ctx.db, intentId, async (tx, { payment, ...locked }, atCommit) => {
    if (!payment) return undefined;
    const found = { payment, ...locked };
    const wasPaidBackOtherwise = isPaidBackOtherwise(payment, found.refunds);
    const changed = await storeReported(tx, found, listed);
    if (changed.length === 0 || wasPaidBackOtherwise) return undefined;
    const { order } = found;
    if (!order) await markReturned(tx, payment, sumCentsOf(found.refunds) >= payment.amountCents);
    const isRestocked = order && (await updateRefundedOrder(tx, order, found, changed, atCommit));
    for (const { state, refundId, error: failureReason } of changed)
      if (state === 'failed') ctx.log.error({ intentId, refundId, failureReason }, 'refund failed');
    return isRestocked ? order.toolId : undefined;
  });
  if (restockedTool) await ctx.catalog.reportChange('tools', restockedTool);
}

/**
 * Records that the provider has refused this try for good, unless a later try has replaced it. If less is left than was
 * requested, because someone made a refund at the provider meanwhile, requests only that.
 */
export async function recordRefusal({ db, log }: PaymentContext, refund: RefundRow, code: string): Promise<void> {
  const { id, paymentId: intentId, tries } = refund;
  const isRecorded = await paymentTransaction(db, intentId, async (tx, { payment, order, refunds: rows }) => {
    const row = rows.find((one) => one.id === id);
    if (row?.tries !== tries || row.state !== 'requested') return false;
    const unfailed = rows.filter(({ state }) => state === 'pending' || state === 'succeeded');
    const leftCents = payment!.amountCents - sumCents(unfailed.map(({ amountCents: cents }) => ({ cents })));
    const isLess = leftCents > 0 && leftCents < row.amountCents;
    const next = isLess
      ? { amountCents: leftCents, tries: tries + 1, checkedAt: null }
      : { state: 'failed' as const, error: code };
    await tx
      .update(refunds)
      .set({ ...next, updatedAt: sql`now()` })
      .where(eq(refunds.id, id));
    if (order && !isLess) await setRefundFailed(tx, order, leftCents > 0);
    return !isLess;
  });
  if (isRecorded) log.error({ intentId, code }, 'refund refused');
}

/** Reads a payment's refunds at the provider and records them. Only the original of a restored copy records its own. */
export async function readAndRecordRefunds(ctx: PaymentContext, intentId: string): Promise<void> {
  const [payment] = await ctx.db.select().from(payments).where(eq(payments.intentId, intentId));
  if (payment && !payment.ofOriginal) await recordRefunds(ctx, intentId, await ctx.provider.listRefunds(intentId));
}
