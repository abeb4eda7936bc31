import { and, eq } from 'drizzle-orm';
import type { Order, PaymentDraft } from '../../src/contract/entities';
import type { CallerAccount } from '../auth/access';
import { paymentAttempts } from '../db/schema';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { findOrderForPayment, type OrderForPayment } from '../orders/orderQueries';
import type { PaymentContext } from './context';
import { limitDeclines } from './declines';
import {
  orderIdMismatch,
  paymentAlreadyUsed,
  paymentNotComplete,
  paymentRefundDue,
  unknownPayment,
} from './paymentProblems';
import { belongsToThisShop, orderIdOf, type PaymentIntent } from './provider';
import { recordPayment, type RecordedPayment } from './recordPayment';

export type Settlement =
  | { kind: RecordedPayment['outcome']; orderId: string }
  | { kind: 'not complete'; orderId: string; intent: PaymentIntent }
  | { kind: 'unknown' };

export const closeAttemptOf = ({ db }: PaymentContext, intentId: string) =>
  db
    .update(paymentAttempts)
    .set({ state: 'canceled' })
    .where(and(eq(paymentAttempts.intentId, intentId), eq(paymentAttempts.state, 'open')));

/** Records the outcome of an intent that was read at the provider. An order becomes paid in no other way. */
export async function settleIntent(ctx: PaymentContext, read: PaymentIntent): Promise<Settlement> {
  const intent = read.status === 'succeeded' ? read : await limitDeclines(ctx, read);
  const { id } = intent;
  const orderId = orderIdOf(intent);
  if (intent.status === 'canceled') await closeAttemptOf(ctx, id);
  if (intent.status !== 'succeeded') return { kind: 'not complete', orderId, intent };
  ctx.unrecorded.add(id);
  await ctx.checkpoint('settle');
  const { outcome, stockTaken } = await recordPayment(ctx, intent);
  ctx.unrecorded.delete(id);
  if (stockTaken) await ctx.catalog.reportChange('tools');
  if (outcome === 'refund due') ctx.log.error({ intentId: id, orderId }, 'payment must be refunded');
  return { kind: outcome, orderId };
}

async function settleFound(ctx: PaymentContext, intent: PaymentIntent | null): Promise<Settlement> {
  return intent && belongsToThisShop(ctx.shopId, intent) ? settleIntent(ctx, intent) : { kind: 'unknown' };
}

/** Reads an intent at the provider and records its outcome. Calls may be repeated and may come in any order. */
export async function settle(ctx: PaymentContext, id: string): Promise<Settlement> {
  return settleFound(ctx, await ctx.provider.findIntent(id));
}

/** Cancels an intent, and records its outcome, because it can have succeeded meanwhile. */
export async function cancelAndSettle(ctx: PaymentContext, id: string): Promise<Settlement> {
  const settlement = await settleFound(ctx, await ctx.provider.cancelIntent(id));
  if (settlement.kind === 'unknown') await closeAttemptOf(ctx, id);
  return settlement;
}

function settlementProblem(settlement: Settlement, { order, state }: OrderForPayment, transactionId: string) {
  if (settlement.kind === 'refund due' && settlement.orderId === order._id) return paymentRefundDue(transactionId);
  if (state === 'deleted') return orderNotFound();
  if (settlement.kind === 'unknown') return unknownPayment();
  if (settlement.orderId !== order._id) return paymentAlreadyUsed();
  return settlement.kind === 'not complete' ? paymentNotComplete(settlement.intent.status) : undefined;
}

/**
 * Handles the browser's report that the customer has paid. The shop does not trust the report, but reads the intent at
 * the provider.
 */
export async function confirmPayment(
  ctx: PaymentContext,
  user: CallerAccount,
  id: string,
  draft: PaymentDraft,
): Promise<Order> {
  const found = UUID.test(id) ? await findOrderForPayment(ctx.db, user, id) : undefined;
  if (!found) throw orderNotFound();
  const { order } = found;
  if (draft.order.toLowerCase() !== order._id) throw orderIdMismatch();
  if (order.transactionId === draft.transactionId) return order;
  const settlement = await settle(ctx, draft.transactionId);
  const problem = settlementProblem(settlement, found, draft.transactionId);
  if (problem) throw problem;
  return (await findOrderForPayment(ctx.db, user, id))!.order;
}
