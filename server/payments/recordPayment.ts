import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { CENTS, CURRENCY } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import { orders, paymentAttempts, payments, refundsDue } from '../db/schema';
import { noHold, takeAvailable, type OrderRow } from '../orders/stock';
import type { PaymentContext } from './context';
import { centsOf } from './payability';
import { attemptNumberOf, orderIdOf, type PaymentIntent } from './provider';

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
    return { kind: 'paid', tookStock: !order.holdsStock };
  }
  const { id: intentId, amountReceived: amountCents, currency } = intent;
  await tx
    .insert(refundsDue)
    .values({ intentId, orderId: order?.id ?? null, amountCents, currency, reason: reason! })
    .onConflictDoNothing();
  return { kind: 'due back', tookStock: false };
}

/**
 * The usual end: all of the money came for an order that still holds its stock. One that another changed since this
 * statement began (`version`) is left alone, since what else is read here is as old as that.
 */
const RECORD = {
  name: 'record usual payment',
  text: `
with seen as materialized (
  select id, xmin as version from orders where id = $2
), paid as (
  update orders o set state = 'paid', slot = null, hold_until = null, deleting_until = null from seen
  where o.id = seen.id and o.xmin = seen.version and o.state = 'unpaid' and o.holds_stock
    and o.unit_price::bigint * o.quantity * ${CENTS} = $4
    and not exists (select from refunds_due where intent_id = $1)
  returning o.id
), payment as (
  insert into payments (intent_id, order_id, amount_cents, currency) select $1, id, $4, $5 from paid
), closed as (
  update payment_attempts set state = 'succeeded', intent_id = $1 from paid
  where order_id = paid.id and n = $3 and (intent_id is null or intent_id = $1)
)
select from paid`,
};

/** Undefined: there is more to look at. */
export async function recordUsual({ db }: PaymentContext, intent: PaymentIntent): Promise<Recorded | undefined> {
  const { id, amountReceived, currency } = intent;
  if (currency !== CURRENCY) return undefined;
  const values = [id, orderIdOf(intent), attemptNumberOf(intent), amountReceived, currency];
  const { rowCount } = await db.$client.query({ ...RECORD, values });
  return rowCount ? { kind: 'paid', tookStock: false } : undefined;
}

/** Of these payments, those that are written down, as paid or as due back. */
export async function recordedOf(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const paid = await db.select({ id: payments.intentId }).from(payments).where(inArray(payments.intentId, ids));
  const due = await db.select({ id: refundsDue.intentId }).from(refundsDue).where(inArray(refundsDue.intentId, ids));
  return new Set([...paid, ...due].map(({ id }) => id));
}
