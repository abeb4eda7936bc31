import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { CENTS, CURRENCY, MAX_TOTAL } from '../../src/contract/limits';
import type { Tx } from '../db/database';
import { orders, tools } from '../db/schema';
import type { OrderRow } from '../orders/stock';
import { priceChangedSinceOrder, priceTooHigh, totalMismatch } from './paymentProblems';

const PRICE_KEPT_MS = 7 * 24 * 3_600_000;

const o = alias(orders, 'o');

/** SQL, over a row `o` of orders. */
export const totalCents = sql.raw(`o.unit_price::bigint * o.quantity * ${CENTS}`);

/** Why an order cannot be paid: its state, another amount, or that its stock is not reserved. */
export type NotPayable = Exclude<OrderRow['state'], 'unpaid'> | 'amount' | 'stock';

/** SQL, over a row `o` of orders: null when this money can pay it. Nothing else decides that. */
export const notPayable = (cents: number | SQL, currency: string | SQL = CURRENCY) => sql<NotPayable | null>`(case
    when o.state <> 'unpaid' then o.state
    when ${totalCents} <> ${cents} or ${currency}::text <> '${sql.raw(CURRENCY)}' then 'amount'
    when not o.holds_stock then 'stock' end)`;

/** SQL, over a row `o` of orders: an older price is compared with the tool's price again before a payment starts. */
export const isPriceKept = (now: Date) =>
  sql<boolean>`coalesce(o.priced_at, o.created_at) > ${new Date(now.getTime() - PRICE_KEPT_MS)}`;

/** SQL, over a row `o` of orders: nobody is deleting it or ending its hold. */
export const isUnclaimed = (now: Date) => sql<boolean>`(o.deleting_until is null or o.deleting_until <= ${now})`;

export interface LockedOrder {
  order: OrderRow;
  reason: NotPayable | null;
  isPriceKept: boolean;
  isUnclaimed: boolean;
}

/** The order, and whether this money can pay it, until the transaction ends. */
export async function lockForPayment(
  tx: Tx,
  orderId: string,
  { cents, currency, now }: { cents: number; currency?: string; now: Date },
  ownerId?: string,
): Promise<LockedOrder | undefined> {
  const [found] = await tx
    .select({
      order: getTableColumns(o),
      reason: notPayable(cents, currency),
      isPriceKept: isPriceKept(now),
      isUnclaimed: isUnclaimed(now),
    })
    .from(o)
    .where(and(eq(o.id, orderId), ownerId === undefined ? undefined : eq(o.ownerId, ownerId)))
    .for('update');
  return found;
}

/** What the operator reads of money that must be refunded. */
export function refundReasonFor(reason: NotPayable | undefined): string {
  if (reason === undefined) return 'unknown order';
  if (reason === 'amount') return 'other amount';
  return reason === 'stock' ? 'out of stock' : `${reason} order`;
}

/** The tool's row stays locked, so that its price cannot change before the payment has begun. */
async function currentPrice(tx: Tx, { toolId }: OrderRow): Promise<number> {
  const [tool] = await tx.select({ price: tools.price }).from(tools).where(eq(tools.id, toolId)).for('no key update');
  return tool!.price;
}

/** Sending the total of the new price is how the customer accepts it. */
function refuseOtherTotal({ unitPrice, quantity }: OrderRow, price: number, totalPrice: number): void {
  const total = price * quantity;
  const isNew = price !== unitPrice;
  if (isNew && total > MAX_TOTAL) throw priceTooHigh(price, total);
  if (totalPrice !== total) throw isNew ? priceChangedSinceOrder(price) : totalMismatch(total);
}

/**
 * Compares the price with the tool's once it is old, and takes the new one when the customer has accepted it.
 * @returns false when an open attempt at the old price must end first
 */
export async function agreeOnPrice(
  tx: Tx,
  { order, isPriceKept: isKept }: LockedOrder,
  { totalPrice, hasOpenAttempt, now }: { totalPrice: number; hasOpenAttempt: boolean; now: Date },
): Promise<boolean> {
  const price = isKept ? order.unitPrice! : await currentPrice(tx, order);
  if (price !== order.unitPrice && hasOpenAttempt) return false;
  refuseOtherTotal(order, price, totalPrice);
  if (!isKept) await tx.update(orders).set({ unitPrice: price, pricedAt: now }).where(eq(orders.id, order.id));
  return true;
}
