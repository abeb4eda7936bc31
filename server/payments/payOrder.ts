import type { Order, PaymentDraft } from '../../src/contract/entities';
import type { Caller } from '../auth/access';
import type { Deps } from '../deps';
import { orderNotFound } from '../http/problems';
import { findForPayment, type ForPayment } from '../orders/orderQueries';
import { UUID } from '../http/textValidation';
import { otherOrder, paymentAlreadyUsed, paymentNotComplete, paymentReturned, unknownPayment } from './paymentProblems';
import { settle, type Settlement } from './settlePayment';

function refuse(settled: Settlement, { order, state }: ForPayment, transactionId: string) {
  if (settled.kind === 'due back' && settled.orderId === order._id) return paymentReturned(transactionId);
  if (state === 'deleted') return orderNotFound();
  if (settled.kind === 'not ours') return unknownPayment();
  if (settled.orderId !== order._id) return paymentAlreadyUsed();
  return settled.kind === 'not complete' ? paymentNotComplete(settled.status) : undefined;
}

/** The browser says that it paid; the provider is asked whether it did. */
export async function payOrder(deps: Deps, user: Caller, id: string, draft: PaymentDraft): Promise<Order> {
  const found = UUID.test(id) ? await findForPayment(deps.db, user, id) : undefined;
  if (!found) throw orderNotFound();
  const { order } = found;
  if (draft.order.toLowerCase() !== order._id) throw otherOrder();
  if (order.transactionId === draft.transactionId) return order;
  const refusal = refuse(await settle(deps, draft.transactionId), found, draft.transactionId);
  if (refusal) throw refusal;
  await deps.before('answer payment');
  return { ...order, paid: true, transactionId: draft.transactionId };
}
