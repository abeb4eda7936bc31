import { and, eq } from 'drizzle-orm';
import type { Order, PaymentDraft } from '../../src/contract/entities';
import type { CallerAccount } from '../auth/access';
import { paymentAttempts } from '../db/schema';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { findForPayment, type ForPayment } from '../orders/orderQueries';
import type { PaymentContext } from './context';
import { limitDeclines } from './declines';
import { otherOrder, paymentAlreadyUsed, paymentNotComplete, paymentReturned, unknownPayment } from './paymentProblems';
import { belongsToThisShop, orderIdOf, type PaymentIntent, type PaymentStatus } from './provider';
import { recordPayment, type Recorded } from './recordPayment';

export type Settlement =
  | { kind: Recorded['outcome']; orderId: string }
  | { kind: 'not complete'; orderId: string; status: PaymentStatus }
  | { kind: 'not ours' };

export const closeCanceled = ({ db }: PaymentContext, intentId: string) =>
  db
    .update(paymentAttempts)
    .set({ state: 'canceled' })
    .where(and(eq(paymentAttempts.intentId, intentId), eq(paymentAttempts.state, 'open')));

/** What the provider says of a payment, made true here. */
export async function settleIntent(ctx: PaymentContext, intent: PaymentIntent): Promise<Settlement> {
  const { id, status } = intent;
  if (!belongsToThisShop(ctx.shopId, intent)) return { kind: 'not ours' };
  const orderId = orderIdOf(intent);
  if (status === 'canceled') await closeCanceled(ctx, id);
  if (status !== 'succeeded') return { kind: 'not complete', orderId, status };
  ctx.unrecorded.add(id);
  await ctx.checkpoint('settle');
  const { outcome, stockTaken } = await recordPayment(ctx, intent);
  ctx.unrecorded.delete(id);
  if (stockTaken) await ctx.catalog.changed('tools');
  if (outcome === 'refund due') ctx.log.error({ intentId: id, orderId }, 'a payment is due back');
  return { kind: outcome, orderId };
}

/** The one way in which an order becomes paid: by whatever the provider says now, in any order, any number of times. */
export async function settle(ctx: PaymentContext, intentId: string): Promise<Settlement> {
  const intent = await ctx.provider.findIntent(intentId);
  if (!intent) return { kind: 'not ours' };
  const settled = await settleIntent(ctx, intent);
  if (settled.kind !== 'not complete') return settled;
  const limited = await limitDeclines(ctx, intent);
  return limited === intent ? settled : settleIntent(ctx, limited);
}

function refuse(settled: Settlement, { order, state }: ForPayment, transactionId: string) {
  if (settled.kind === 'refund due' && settled.orderId === order._id) return paymentReturned(transactionId);
  if (state === 'deleted') return orderNotFound();
  if (settled.kind === 'not ours') return unknownPayment();
  if (settled.orderId !== order._id) return paymentAlreadyUsed();
  return settled.kind === 'not complete' ? paymentNotComplete(settled.status) : undefined;
}

/** The browser says that it paid; the provider is asked whether it did. */
export async function confirmPayment(
  ctx: PaymentContext,
  user: CallerAccount,
  id: string,
  draft: PaymentDraft,
): Promise<Order> {
  const found = UUID.test(id) ? await findForPayment(ctx.db, user, id) : undefined;
  if (!found) throw orderNotFound();
  const { order } = found;
  if (draft.order.toLowerCase() !== order._id) throw otherOrder();
  if (order.transactionId === draft.transactionId) return order;
  const refusal = refuse(await settle(ctx, draft.transactionId), found, draft.transactionId);
  if (refusal) throw refusal;
  await ctx.checkpoint('answer payment');
  return { ...order, paid: true, transactionId: draft.transactionId };
}
