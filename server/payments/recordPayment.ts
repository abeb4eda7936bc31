import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { CURRENCY } from '../../src/contract/limits';
import type { Tx } from '../db/database';
import { orders, paymentAttempts, payments, refundsDue } from '../db/schema';
import { takeAvailable } from '../orders/stock';
import { noHold, type OrderRow } from '../orders/stock';
import type { PaymentIntent } from './provider';
import { centsOf } from './money';
import { attemptOf, orderOf } from './ours';

export type Recorded = { kind: 'paid' | 'due back'; tookStock: boolean };

async function recordedBefore(tx: Tx, intentId: string): Promise<Recorded | undefined> {
  const kindIn = (table: typeof payments | typeof refundsDue, kind: Recorded['kind']) =>
    tx
      .select({ kind: sql<Recorded['kind']>`${kind}::text` })
      .from(table)
      .where(eq(table.intentId, intentId));
  const [before] = await kindIn(payments, 'paid').unionAll(kindIn(refundsDue, 'due back'));
  return before && { kind: before.kind, tookStock: false };
}

/** An order whose hold is over may still be paid, if its stock is still there: one that is paid is no share of a customer. */
const stockIsThere = async (tx: Tx, order: OrderRow) => order.holdsStock || takeAvailable(tx, order);

/** Why this order cannot take this money; undefined: it can. */
async function whyNot(tx: Tx, order: OrderRow | undefined, intent: PaymentIntent) {
  if (!order) return 'unknown order';
  if (order.state !== 'unpaid') return `${order.state} order`;
  if (intent.amountReceived !== centsOf(order) || intent.currency !== CURRENCY) return 'other amount';
  return (await stockIsThere(tx, order)) ? undefined : 'out of stock';
}

async function pay(tx: Tx, order: OrderRow, { id, amountReceived, currency }: PaymentIntent) {
  await tx.insert(payments).values({ intentId: id, orderId: order.id, amountCents: amountReceived, currency });
  await tx
    .update(orders)
    .set({ ...noHold, holdsStock: true, state: 'paid', slot: null })
    .where(eq(orders.id, order.id));
}

async function noteSucceeded(tx: Tx, intent: PaymentIntent) {
  const { orderId, n, intentId } = paymentAttempts;
  await tx
    .update(paymentAttempts)
    .set({ state: 'succeeded', intentId: intent.id })
    .where(and(eq(orderId, orderOf(intent)), eq(n, attemptOf(intent)), or(isNull(intentId), eq(intentId, intent.id))));
}

/** Money that arrived is written down exactly once: as the order's payment, or as due back. */
export async function record(tx: Tx, intent: PaymentIntent): Promise<Recorded> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(eq(orders.id, orderOf(intent)))
    .for('update');
  const before = await recordedBefore(tx, intent.id);
  if (before) return before;
  const reason = await whyNot(tx, order, intent);
  await noteSucceeded(tx, intent);
  if (order && !reason) {
    await pay(tx, order, intent);
    return { kind: 'paid', tookStock: !order.holdsStock };
  }
  const { id: intentId, amountReceived: amountCents, currency } = intent;
  await tx
    .insert(refundsDue)
    .values({ intentId, orderId: order?.id ?? null, amountCents, currency, reason: reason! })
    .onConflictDoNothing();
  return { kind: 'due back', tookStock: false };
}
