import { eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { orders, payments, refunds } from '../db/schema';
import { queueMail } from '../mail/outbox';
import { returnStock, type OrderRow } from '../orders/stock';
import type { PaymentContext } from './context';
import { paymentTransaction, type PaymentRow, type RefundRow } from './paymentTransaction';
import { refundTryNumberOf, type ProviderRefund } from './provider';

/** Maps Stripe's final states. In all others, the refund is pending. */
const STATE_BY_STATUS: Record<string, RefundRow['state']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};
export const refundStateOf = ({ status }: ProviderRefund): RefundRow['state'] => STATE_BY_STATUS[status] ?? 'pending';

/**
 * A try to refund moves only forward through these states, so that a late response or event does not move it back. The
 * next try begins again at `requested`.
 */
const STATE_ORDER: RefundRow['state'][] = ['requested', 'pending', 'succeeded', 'failed'];
const isKnown = (refund: RefundRow, reported: ProviderRefund) =>
  refund.refundId === reported.id && STATE_ORDER.indexOf(refundStateOf(reported)) <= STATE_ORDER.indexOf(refund.state);

export async function findRefund(db: Db | Tx, intentId: string): Promise<RefundRow | undefined> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.intentId, intentId));
  return refund;
}

const setRefundFailed = (tx: Tx, { id }: OrderRow, refundFailed: boolean) =>
  tx.update(orders).set({ refundFailed }).where(eq(orders.id, id));

/**
 * Marks a paid order as refunded, and returns its tools to the stock if the admin wanted that.
 * @returns whether the stock has grown
 */
export async function markRefunded(tx: Tx, order: OrderRow, { restock }: RefundRow): Promise<boolean> {
  await setRefundFailed(tx, order, false);
  if (order.state !== 'paid') return false;
  if (restock) await returnStock(tx, order);
  await tx
    .update(orders)
    .set({ state: 'refunded', refundedAt: sql`now()`, holdsStock: !restock })
    .where(eq(orders.id, order.id));
  return restock;
}

/** Money that arrived too late never paid for its order. So its refund changes the payment's row and not the order. */
async function markReturned(tx: Tx, payment: PaymentRow, state: RefundRow['state']): Promise<void> {
  const returnedAt = state === 'succeeded' ? sql`now()` : null;
  await tx.update(payments).set({ returnedAt }).where(eq(payments.intentId, payment.intentId));
  if (payment.orderId && state === 'succeeded')
    await queueMail(tx, 'payment returned', payment.orderId, payment.intentId);
}

/**
 * Updates the order of a refunded payment. The order stays paid until the refund has succeeded.
 * @returns whether the stock has grown
 */
async function updateRefundedOrder(
  tx: Tx,
  order: OrderRow,
  refund: RefundRow,
  state: RefundRow['state'],
): Promise<boolean> {
  if (state !== 'succeeded') {
    await setRefundFailed(tx, order, state === 'failed');
    return false;
  }
  if (order.state === 'paid') await queueMail(tx, 'refunded', order.id);
  return markRefunded(tx, order, refund);
}

/** Stores a full refund that someone made at the provider. */
const storeForeignRefund = (tx: Tx, { intentId, orderId, amountCents, currency }: PaymentRow) =>
  tx
    .insert(refunds)
    .values({ intentId, orderId, amountCents, currency, reason: 'refunded at the payment provider' })
    .returning();

/**
 * Records a refund status that the provider has reported. Calls may be repeated and may come in any order.
 * @param tries the try that the report is about, or null if the shop knows no refund of this payment
 */
export async function recordRefund(ctx: PaymentContext, tries: number | null, reported: ProviderRefund): Promise<void> {
  const { id, intentId, failureReason } = reported;
  const state = refundStateOf(reported);
  const { isRecorded, restockedTool } = await paymentTransaction(
    ctx.db,
    intentId,
    async (tx, { payment, order, refund: stored }) => {
      const [refund] = stored || !payment || tries !== null ? [stored] : await storeForeignRefund(tx, payment);
      const isCurrent = refund && refund.tries === (tries ?? 0) && !isKnown(refund, reported);
      if (!payment || !isCurrent) return { isRecorded: false, restockedTool: undefined };
      await tx
        .update(refunds)
        .set({ state, refundId: id, error: failureReason, updatedAt: sql`now()` })
        .where(eq(refunds.intentId, intentId));
      if (payment.outcome === 'refund due') await markReturned(tx, payment, state);
      const isRestocked = order && !payment.returnedAt && (await updateRefundedOrder(tx, order, refund, state));
      return { isRecorded: true, restockedTool: isRestocked ? order.toolId : undefined };
    },
  );
  if (isRecorded && state === 'failed') ctx.log.error({ intentId, refundId: id, failureReason }, 'refund failed');
  if (restockedTool) await ctx.catalog.reportChange('tools', restockedTool);
}

/** Records that the provider has refused this try for good, unless a later try has replaced it. */
export async function recordRefusal(
  { db, log }: PaymentContext,
  { intentId, tries }: RefundRow,
  code: string,
): Promise<void> {
  const isRecorded = await paymentTransaction(db, intentId, async (tx, { order, refund }) => {
    if (refund?.tries !== tries || refund.state !== 'requested') return false;
    await tx
      .update(refunds)
      .set({ state: 'failed', error: code, updatedAt: sql`now()` })
      .where(eq(refunds.intentId, intentId));
    if (order) await setRefundFailed(tx, order, true);
    return true;
  });
  if (isRecorded) log.error({ intentId, code }, 'refund refused');
}

/**
 * Combines the provider's refunds of a payment into one, which is then either a full or a failed refund.
 * @returns undefined if the payment is refunded only in part, which `npm run doctor` reports
 */
function wholeRefundOf(
  listed: ProviderRefund[],
  { amountCents }: PaymentRow,
  known: RefundRow | undefined,
): ProviderRefund | undefined {
  const isOwn = (refund: ProviderRefund) =>
    known?.refundId
      ? refund.id === known.refundId
      : known?.state === 'requested' && refundTryNumberOf(refund) === known.tries;
  const own = listed.find(isOwn);
  const valid = listed.filter((refund) => refundStateOf(refund) !== 'failed');
  const isWhole = valid.reduce((sum, refund) => sum + refund.amountCents, 0) >= amountCents;
  if (isWhole) return valid.find((refund) => refundStateOf(refund) === 'pending') ?? valid.find(isOwn) ?? valid[0];
  const failed = listed.find((refund) => refundStateOf(refund) === 'failed');
  return own && failed && { ...own, status: 'failed', failureReason: failed.failureReason };
}

/**
 * Reads a payment's refunds at the provider and records their result.
 * @returns whether there is a full refund that is pending or has succeeded, or the known refund has failed
 */
export async function readAndRecordRefunds(ctx: PaymentContext, intentId: string): Promise<boolean> {
  const [payment] = await ctx.db.select().from(payments).where(eq(payments.intentId, intentId));
  if (!payment) return false;
  const known = await findRefund(ctx.db, intentId);
  const reported = wholeRefundOf(await ctx.provider.listRefunds(intentId), payment, known);
  if (reported) await recordRefund(ctx, known?.tries ?? null, reported);
  return reported !== undefined;
}
