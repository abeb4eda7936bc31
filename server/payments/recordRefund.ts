import { and, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { withTransactionRetry } from '../db/retryConflicts';
import { orders, payments, refunds } from '../db/schema';
import { queueMail } from '../mail/outbox';
import { returnStock, type OrderRow } from '../orders/stock';
import type { PaymentContext } from './context';
import { refundTryOf, type ProviderRefund } from './provider';

export type RefundRow = typeof refunds.$inferSelect;
type PaymentRow = typeof payments.$inferSelect;

/** In the provider's words. Any other status means that the refund is on its way. */
const STATES: Record<string, RefundRow['state']> = { succeeded: 'succeeded', failed: 'failed', canceled: 'failed' };
export const refundStateOf = ({ status }: ProviderRefund): RefundRow['state'] => STATES[status] ?? 'pending';

/** One refund only moves forward through these states. An answer that arrives late must not move it back. */
const STATE_ORDER: RefundRow['state'][] = ['requested', 'pending', 'succeeded', 'failed'];
const isKnown = (refund: RefundRow, reported: ProviderRefund) =>
  refund.refundId === reported.id && STATE_ORDER.indexOf(refundStateOf(reported)) <= STATE_ORDER.indexOf(refund.state);

export async function findRefund(db: Db | Tx, intentId: string): Promise<RefundRow | undefined> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.intentId, intentId));
  return refund;
}

/** Locks the order before the refund, as all writers of refunds do. */
async function lockRefund(tx: Tx, intentId: string) {
  const [payment] = await tx.select().from(payments).where(eq(payments.intentId, intentId));
  const [order] = payment?.orderId
    ? await tx.select().from(orders).where(eq(orders.id, payment.orderId)).for('update')
    : [];
  const [refund] = await tx.select().from(refunds).where(eq(refunds.intentId, intentId)).for('update');
  return { payment, order, refund };
}

/** Only the order that this payment paid shows the failure. Late money has no such order. */
const markOrderFailed = (tx: Tx, intentId: string) =>
  tx.execute(sql`
    update orders set refund_failed = true
    where id = (select order_id from payments where intent_id = ${intentId} and outcome = 'paid')`);

/** Updates the order to match its refund. While a refund is pending, the order stays paid. */
async function updateOrder(tx: Tx, order: OrderRow, state: RefundRow['state'], restock: boolean): Promise<boolean> {
  const isNew = state === 'succeeded' && order.state === 'paid';
  if (isNew && restock) await returnStock(tx, order);
  const holdsStock = restock ? false : order.holdsStock;
  await tx
    .update(orders)
    .set({
      refundFailed: state === 'failed',
      ...(isNew ? { state: 'refunded', refundedAt: sql`now()`, holdsStock } : {}),
    })
    .where(eq(orders.id, order.id));
  if (isNew) await queueMail(tx, 'refunded', order.id);
  return isNew && restock;
}

/** Late money is returned: it was never the payment of its order. */
async function markReturned(tx: Tx, payment: PaymentRow, state: RefundRow['state']): Promise<void> {
  const returnedAt = state === 'succeeded' ? sql`now()` : null;
  await tx.update(payments).set({ returnedAt }).where(eq(payments.intentId, payment.intentId));
  if (payment.orderId && state === 'succeeded')
    await queueMail(tx, 'payment returned', payment.orderId, payment.intentId);
}

/** Records a full refund that was made at the provider as if it had been requested here. */
const storeForeignRefund = (tx: Tx, { intentId, orderId, amountCents, currency }: PaymentRow) =>
  tx
    .insert(refunds)
    .values({ intentId, orderId, amountCents, currency, reason: 'refunded at the payment provider' })
    .returning();

/**
 * Records a refund status that the provider reported. Safe to call repeatedly and out of order.
 * @param tries the number of the refund attempt that the report is about, or null if nothing was requested here
 */
export async function recordRefund(ctx: PaymentContext, tries: number | null, reported: ProviderRefund): Promise<void> {
  const { id, intentId, failureReason } = reported;
  const state = refundStateOf(reported);
  const { isRecorded, restockedTool } = await withTransactionRetry(() =>
    ctx.db.transaction(async (tx) => {
      const { payment, order, refund: stored } = await lockRefund(tx, intentId);
      const [refund] = stored || !payment || tries !== null ? [stored] : await storeForeignRefund(tx, payment);
      const isCurrent = refund && refund.tries === (tries ?? 0) && !isKnown(refund, reported);
      if (!payment || !isCurrent) return { isRecorded: false, restockedTool: undefined };
      await tx
        .update(refunds)
        .set({ state, refundId: id, error: failureReason, updatedAt: sql`now()` })
        .where(eq(refunds.intentId, intentId));
      if (payment.outcome === 'refund due') await markReturned(tx, payment, state);
      const isRestocked = payment.outcome === 'paid' && order && (await updateOrder(tx, order, state, refund.restock));
      await ctx.checkpoint('commit refund');
      return { isRecorded: true, restockedTool: isRestocked ? order.toolId : undefined };
    }),
  );
  if (isRecorded && state === 'failed') ctx.log.error({ intentId, refundId: id, failureReason }, 'refund failed');
  if (restockedTool) await ctx.catalog.changed('tools', restockedTool);
}

/** Records that the provider refused this try for good. */
export async function recordRefusal(
  { db, log }: PaymentContext,
  { intentId, tries }: RefundRow,
  code: string,
): Promise<void> {
  await withTransactionRetry(() =>
    db.transaction(async (tx) => {
      await lockRefund(tx, intentId);
      const isThisTry = and(eq(refunds.intentId, intentId), eq(refunds.tries, tries), eq(refunds.state, 'requested'));
      const { rowCount } = await tx
        .update(refunds)
        .set({ state: 'failed', error: code, updatedAt: sql`now()` })
        .where(isThisTry);
      if (rowCount) await markOrderFailed(tx, intentId);
    }),
  );
  log.error({ intentId, code }, 'refund refused');
}

/**
 * Combines the refunds of a payment into one result: fully refunded, or refund failed. Partial refunds give no result,
 * and `npm run doctor` reports them.
 */
function wholeRefundOf(
  listed: ProviderRefund[],
  { amountCents }: PaymentRow,
  known: RefundRow | undefined,
): ProviderRefund | undefined {
  const isOwn = (refund: ProviderRefund) =>
    known?.refundId
      ? refund.id === known.refundId
      : known?.state === 'requested' && refundTryOf(refund) === known.tries;
  const own = listed.find(isOwn);
  const valid = listed.filter((refund) => refundStateOf(refund) !== 'failed');
  const isWhole = valid.reduce((sum, refund) => sum + refund.amountCents, 0) >= amountCents;
  if (isWhole) return valid.find((refund) => refundStateOf(refund) === 'pending') ?? valid.find(isOwn) ?? valid[0];
  const failed = listed.find((refund) => refundStateOf(refund) === 'failed');
  return own && failed && { ...own, status: 'failed', failureReason: failed.failureReason };
}

/**
 * Reads a payment's refunds at the provider and records them.
 * @returns whether a full refund of the payment has succeeded, has failed or is pending
 */
export async function adoptRefunds(ctx: PaymentContext, intentId: string): Promise<boolean> {
  const [payment] = await ctx.db.select().from(payments).where(eq(payments.intentId, intentId));
  if (!payment) return false;
  const known = await findRefund(ctx.db, intentId);
  const reported = wholeRefundOf(await ctx.provider.listRefunds(intentId), payment, known);
  if (reported) await recordRefund(ctx, known?.tries ?? null, reported);
  return reported !== undefined;
}
