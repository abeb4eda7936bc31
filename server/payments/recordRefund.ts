import { and, eq, ne, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { orders, payments, refundParts, refunds } from '../db/schema';
import { queueMail } from '../mail/outbox';
import { REASON_AT_PROVIDER } from '../orders/orderQueries';
import { returnStock, type OrderRow } from '../orders/stock';
import type { PaymentContext } from './context';
import { paymentTransaction, type PaymentRow, type RefundRow } from './paymentTransaction';
import { refundTryNumberOf, type ProviderRefund } from './provider';

/** Maps Stripe's final states. In all others, the refund is pending. */
const STATE_BY_STATUS: Record<string, (typeof refundParts.$inferSelect)['state']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};
export const refundStateOf = ({ status }: Pick<ProviderRefund, 'status'>) => STATE_BY_STATUS[status] ?? 'pending';

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

/**
 * Whether an operator recorded that the money was paid back in another way, and not this refund. What then happens to
 * the refund changes nothing of that.
 */
const isPaidBackOtherwise = ({ returnedAt }: PaymentRow, { state, updatedAt }: RefundRow) =>
  returnedAt !== null && (state !== 'succeeded' || returnedAt < updatedAt);

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

/** A payment's refunds at the provider. */
interface ReportedRefunds {
  /** The refund that returns what is left of the payment. Its status is the one that all of them together have. */
  last: ProviderRefund | undefined;
  parts: ProviderRefund[];
}

/** Stores a refund that someone made at the provider. */
const storeForeignRefund = (tx: Tx, { intentId, orderId, currency }: PaymentRow, { amountCents }: ProviderRefund) =>
  tx.insert(refunds).values({ intentId, orderId, amountCents, currency, reason: REASON_AT_PROVIDER }).returning();

/** The refund may have been recorded as a part, before others made the payment whole. */
async function storeLastRefund(tx: Tx, { id, intentId, amountCents, ...reported }: ProviderRefund): Promise<void> {
  const state = refundStateOf(reported);
  await tx
    .update(refunds)
    .set({ state, refundId: id, amountCents, error: reported.failureReason, updatedAt: sql`now()` })
    .where(eq(refunds.intentId, intentId));
  if (state !== 'failed') await tx.delete(refundParts).where(eq(refundParts.refundId, id));
}

/** Records each part once. A part moves only forward through its states. */
async function storeParts(tx: Tx, intentId: string, parts: ProviderRefund[]): Promise<void> {
  const last = await findRefund(tx, intentId);
  const isLast = ({ id }: ProviderRefund) => last?.refundId === id && last.state !== 'failed';
  const rows = parts
    .filter((part) => !isLast(part))
    .map((part) => ({
      ...{ refundId: part.id, intentId, amountCents: part.amountCents, createdAt: part.createdAt },
      state: refundStateOf(part),
    }));
  if (rows.length === 0) return;
  await tx
    .insert(refundParts)
    .values(rows)
    .onConflictDoUpdate({
      target: refundParts.refundId,
      set: { state: sql`excluded.state` },
      setWhere: or(eq(refundParts.state, 'pending'), sql`excluded.state = 'failed'`),
    });
}

/** The previous version recorded the whole payment as refunded by the last refund. */
const correctAmount = (tx: Tx, { id, amountCents }: ProviderRefund) =>
  tx
    .update(refunds)
    .set({ amountCents })
    .where(and(eq(refunds.refundId, id), ne(refunds.amountCents, amountCents)));

/**
 * Records refunds that the provider has reported. Calls may be repeated and may come in any order.
 * @param tries the try that the report is about, or null if the shop knows no refund of this payment
 */
export async function recordRefunds(
  ctx: PaymentContext,
  intentId: string,
  tries: number | null,
  { last, parts }: ReportedRefunds,
): Promise<void> {
  const { isRecorded, restockedTool } = await paymentTransaction(
    ctx.db,
    intentId,
    async (tx, { payment, order, refund: stored }) => {
      if (last) await correctAmount(tx, last);
      const [refund] =
        stored || !payment || !last || tries !== null ? [stored] : await storeForeignRefund(tx, payment, last);
      const isNews = last && refund && refund.tries === (tries ?? 0) && !isKnown(refund, last);
      if (isNews) await storeLastRefund(tx, last);
      if (payment) await storeParts(tx, intentId, parts);
      if (!payment || !isNews) return { isRecorded: false, restockedTool: undefined };
      const state = refundStateOf(last);
      if (isPaidBackOtherwise(payment, refund)) return { isRecorded: true, restockedTool: undefined };
      if (payment.outcome === 'refund due') await markReturned(tx, payment, state);
      const isRestocked = order && (await updateRefundedOrder(tx, order, refund, state));
      return { isRecorded: true, restockedTool: isRestocked ? order.toolId : undefined };
    },
  );
  if (isRecorded && refundStateOf(last!) === 'failed')
    ctx.log.error({ intentId, refundId: last!.id, failureReason: last!.failureReason }, 'refund failed');
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
 * Divides the provider's refunds of a payment, newest first, into the one that returns the last cent and its parts.
 * After a failure there is no such refund, until one returns what is left again.
 */
function divideRefunds(
  listed: ProviderRefund[],
  { amountCents }: PaymentRow,
  known: RefundRow | undefined,
): ReportedRefunds {
  const isOwn = (refund: ProviderRefund) =>
    known?.refundId
      ? refund.id === known.refundId
      : known?.state === 'requested' && refundTryNumberOf(refund) === known.tries;
  const own = known?.state === 'failed' ? undefined : listed.find(isOwn);
  const valid = listed.filter((refund) => refundStateOf(refund) !== 'failed');
  const withStatusOf = (last: ProviderRefund, other: ProviderRefund | undefined): ReportedRefunds => ({
    last: { ...last, ...(other && { status: other.status, failureReason: other.failureReason }) },
    parts: listed.filter(({ id }) => id !== last.id),
  });
  if (valid.reduce((sum, refund) => sum + refund.amountCents, 0) >= amountCents)
    return withStatusOf(
      valid.find((refund) => refund === own) ?? valid[0]!,
      valid.find((refund) => refundStateOf(refund) === 'pending'),
    );
  const failed = listed.find((refund) => refundStateOf(refund) === 'failed');
  if (!own || !failed) return { last: undefined, parts: listed.filter((refund) => refund !== own) };
  return { ...withStatusOf(own, failed), parts: listed.filter((refund) => refund !== own || valid.includes(own)) };
}

/**
 * Reads a payment's refunds at the provider and records them.
 * @returns whether they return the whole payment, or the known refund has failed
 */
export async function readAndRecordRefunds(ctx: PaymentContext, intentId: string): Promise<boolean> {
  const [payment] = await ctx.db.select().from(payments).where(eq(payments.intentId, intentId));
  if (!payment || payment.ofOriginal) return false;
  const known = await findRefund(ctx.db, intentId);
  const reported = divideRefunds(await ctx.provider.listRefunds(intentId), payment, known);
  await recordRefunds(ctx, intentId, known?.tries ?? null, reported);
  return reported.last !== undefined;
}
