import { and, eq } from 'drizzle-orm';
import type { Order, PaymentDraft } from '../../src/contract/entities';
import type { Caller } from '../auth/access';
import { retried } from '../db/retryConflicts';
import { paymentAttempts } from '../db/schema';
import type { Bookkeeping, Deps } from '../deps';
import type { Metrics } from '../http/metrics';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { findForPayment, type ForPayment } from '../orders/orderQueries';
import { ask } from './ask';
import { limitDeclines } from './declines';
import { otherOrder, paymentAlreadyUsed, paymentNotComplete, paymentReturned, unknownPayment } from './paymentProblems';
import { isOurs, orderOf, type PaymentIntent, type PaymentStatus } from './provider';
import { record, recordUsual, type Recorded } from './recordPayment';

const sets = new WeakMap<Metrics, Set<string>>();

/** Payments that this server has seen succeed and has not written down yet: empty but for moments. */
export function unsettledOf(metrics: Metrics): Set<string> {
  const found = sets.get(metrics) ?? new Set<string>();
  sets.set(metrics, found);
  return found;
}

export type Settlement =
  | { kind: 'paid' | 'due back'; orderId: string }
  | { kind: 'not complete'; orderId: string; status: PaymentStatus }
  | { kind: 'not ours' };

export const closeCanceled = ({ db }: Bookkeeping, intentId: string) =>
  db
    .update(paymentAttempts)
    .set({ state: 'canceled' })
    .where(and(eq(paymentAttempts.intentId, intentId), eq(paymentAttempts.state, 'open')));

const recordAnyhow = (deps: Bookkeeping, intent: PaymentIntent): Promise<Recorded> =>
  deps.db.transaction(async (tx) => {
    const recorded = await record(tx, intent);
    await deps.before('commit settlement');
    return recorded;
  });

/** What the provider says of a payment, made true here. */
export async function settleIntent(deps: Bookkeeping, intent: PaymentIntent): Promise<Settlement> {
  const { id, status } = intent;
  if (!(await isOurs(deps.db, intent))) return { kind: 'not ours' };
  const orderId = orderOf(intent);
  if (status === 'canceled') await closeCanceled(deps, id);
  if (status !== 'succeeded') return { kind: 'not complete', orderId, status };
  unsettledOf(deps.metrics).add(id);
  await deps.before('settle');
  const { kind, tookStock } = await retried(
    async () => (await recordUsual(deps, intent)) ?? (await recordAnyhow(deps, intent)),
  );
  unsettledOf(deps.metrics).delete(id);
  if (tookStock) await deps.catalogue.changed('tools');
  if (kind === 'due back') deps.log.error({ intentId: id, orderId }, 'a payment is due back');
  return { kind, orderId };
}

/** The one way in which an order becomes paid: by whatever the provider says now, in any order, any number of times. */
export async function settle(deps: Bookkeeping, intentId: string): Promise<Settlement> {
  const intent = await ask(() => deps.payments.findIntent(intentId));
  if (!intent) return { kind: 'not ours' };
  const settled = await settleIntent(deps, intent);
  if (settled.kind !== 'not complete') return settled;
  const limited = await limitDeclines(deps, intent);
  return limited === intent ? settled : settleIntent(deps, limited);
}

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
