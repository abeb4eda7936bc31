import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { CENTS_PER_DOLLAR, CURRENCY, MAX_TOTAL } from '../../src/contract/limits';
import type { Tx } from '../db/database';
import { orders, tools } from '../db/schema';
import type { OrderRow } from '../orders/stock';
import { priceChangedSinceOrder, priceTooHigh, totalMismatch } from './paymentProblems';

const PRICE_GUARANTEE_MS = 7 * 24 * 3_600_000;

const o = alias(orders, 'o');

/** SQL, over a row `o` of orders. */
export const totalCents = sql.raw(`o.unit_price::bigint * o.quantity * ${CENTS_PER_DOLLAR}`);

/** Why an order cannot be paid: its state, a different amount, or because its stock is not reserved. */
export type NotPayable = Exclude<OrderRow['state'], 'unpaid'> | 'amount' | 'stock';

/** SQL, over a row `o` of orders: null when this money can pay for it. No other code decides this. */
export const notPayable = (cents: number | SQL, currency: string | SQL = CURRENCY) => sql<NotPayable | null>`(case
    when o.state <> 'unpaid' then o.state
    when ${totalCents} <> ${cents} or ${currency}::text <> '${sql.raw(CURRENCY)}' then 'amount'
    when not o.holds_stock then 'stock' end)`;

/** SQL, over a row `o` of orders: an older price is compared with the tool's current price before a payment starts. */
export const isPriceGuaranteed = (now: Date) =>
  sql<boolean>`coalesce(o.priced_at, o.created_at) > ${new Date(now.getTime() - PRICE_GUARANTEE_MS)}`;

/** SQL, over a row `o` of orders: no server is deleting it or ending its hold. */
export const isUnclaimed = (now: Date) => sql<boolean>`(o.deleting_until is null or o.deleting_until <= ${now})`;

export interface LockedOrder {
  order: OrderRow;
  reason: NotPayable | null;
  isPriceGuaranteed: boolean;
  isUnclaimed: boolean;
}

/** Locks the order until the transaction ends, and reads whether this money can pay for it. */
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
      isPriceGuaranteed: isPriceGuaranteed(now),
      isUnclaimed: isUnclaimed(now),
    })
    .from(o)
    .where(and(eq(o.id, orderId), ownerId === undefined ? undefined : eq(o.ownerId, ownerId)))
    .for('update');
  return found;
}

/** The reason that the operator reads when a payment must be refunded. */
export function refundReasonFor(reason: NotPayable | undefined): string {
  if (reason === undefined) return 'unknown order';
  if (reason === 'amount') return 'other amount';
  return reason === 'stock' ? 'out of stock' : `${reason} order`;
}

/** Locks the tool's row, so that the price cannot change before the payment has begun. */
async function currentPrice(tx: Tx, { toolId }: OrderRow): Promise<number> {
  const [tool] = await tx.select({ price: tools.price }).from(tools).where(eq(tools.id, toolId)).for('no key update');
  return tool!.price;
}

/** A customer accepts a new price by sending the total at that price. */
function refuseOtherTotal({ unitPrice, quantity }: OrderRow, price: number, totalPrice: number): void {
  const total = price * quantity;
  const isNew = price !== unitPrice;
  if (isNew && total > MAX_TOTAL) throw priceTooHigh(price, total);
  if (totalPrice !== total) throw isNew ? priceChangedSinceOrder(price) : totalMismatch(total);
}

/**
 * Compares an old price with the tool's current price, and stores the new price if the customer has accepted it.
 * @returns false when an open attempt at the old price must be ended first
 */
export async function agreeOnPrice(
  tx: Tx,
  { order, isPriceGuaranteed: isGuaranteed }: LockedOrder,
  { totalPrice, hasOpenAttempt, now }: { totalPrice: number; hasOpenAttempt: boolean; now: Date },
): Promise<boolean> {
  const price = isGuaranteed ? order.unitPrice! : await currentPrice(tx, order);
  if (price !== order.unitPrice && hasOpenAttempt) return false;
  refuseOtherTotal(order, price, totalPrice);
  if (!isGuaranteed) await tx.update(orders).set({ unitPrice: price, pricedAt: now }).where(eq(orders.id, order.id));
  return true;
}
