import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { CENTS, CURRENCY } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import { databaseErrorOf } from '../db/retryConflicts';
import { orders, paymentAttempts, payments } from '../db/schema';
import { noHold, takeAvailable, type OrderRow } from '../orders/stock';
import type { PaymentContext } from './context';
import { centsOf } from './payability';
import { attemptNumberOf, orderIdOf, type PaymentIntent } from './provider';

type Outcome = (typeof payments.$inferSelect)['outcome'];
export type Recorded = { outcome: Outcome; tookStock: boolean };

async function recordedBefore(tx: Tx, intentId: string): Promise<Recorded | undefined> {
  const [before] = await tx.select({ outcome: payments.outcome }).from(payments).where(eq(payments.intentId, intentId));
  return before && { ...before, tookStock: false };
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
  await tx
    .insert(payments)
    .values({ intentId: id, orderId: order.id, outcome: 'paid', amountCents: amountReceived, currency });
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
    .where(
      and(
        eq(orderId, orderIdOf(intent)),
        eq(n, attemptNumberOf(intent)),
        or(isNull(intentId), eq(intentId, intent.id)),
      ),
    );
}

/** Money that arrived is written down exactly once: as the order's payment, or as due back. */
export async function record(tx: Tx, intent: PaymentIntent): Promise<Recorded> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(eq(orders.id, orderIdOf(intent)))
    .for('update');
  const before = await recordedBefore(tx, intent.id);
  if (before) return before;
  const reason = await whyNot(tx, order, intent);
  await noteSucceeded(tx, intent);
  if (order && !reason) {
    await pay(tx, order, intent);
    return { outcome: 'paid', tookStock: !order.holdsStock };
  }
  const { id: intentId, amountReceived: amountCents, currency } = intent;
  await tx
    .insert(payments)
    .values({ intentId, orderId: order?.id ?? null, outcome: 'refund due', amountCents, currency, reason })
    .onConflictDoNothing();
  return { outcome: 'refund due', tookStock: false };
}

/**
 * The usual end: all of the money came for an order that still holds its stock. The statement waits for a concurrent
 * change of the order and looks at it again. An intent that was recorded meanwhile violates the key.
 */
const RECORD = {
  name: 'record usual payment',
  text: `
with paid as (
  update orders set state = 'paid', slot = null, hold_until = null, deleting_until = null
  where id = $2 and state = 'unpaid' and holds_stock and unit_price::bigint * quantity * ${CENTS} = $4
    and not exists (select from payments where intent_id = $1)
  returning id
), payment as (
  insert into payments (intent_id, order_id, outcome, amount_cents, currency) select $1, id, 'paid', $4, $5 from paid
), closed as (
  update payment_attempts set state = 'succeeded', intent_id = $1 from paid
  where order_id = paid.id and n = $3 and (intent_id is null or intent_id = $1)
)
select from paid`,
};

const isRecordedTwice = (error: unknown) => databaseErrorOf(error).constraint === 'payments_pkey';

/** Undefined: there is more to look at. */
export async function recordUsual({ db }: PaymentContext, intent: PaymentIntent): Promise<Recorded | undefined> {
  const { id, amountReceived, currency } = intent;
  if (currency !== CURRENCY) return undefined;
  const values = [id, orderIdOf(intent), attemptNumberOf(intent), amountReceived, currency];
  try {
    const { rowCount } = await db.$client.query({ ...RECORD, values });
    return rowCount ? { outcome: 'paid', tookStock: false } : undefined;
  } catch (error) {
    if (isRecordedTwice(error)) return undefined;
    throw error;
  }
}

/** @returns those of these payments that are recorded, as paid or as due back */
export async function recordedOf(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.select({ id: payments.intentId }).from(payments).where(inArray(payments.intentId, ids));
  return new Set(rows.map(({ id }) => id));
}
