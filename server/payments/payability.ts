import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { CENTS_PER_DOLLAR, CURRENCY, MAX_TOTAL } from '../../src/contract/limits';
import type { Tx } from '../db/database';
import { orders, tools } from '../db/schema';
import type { OrderRow } from '../orders/stock';
import { priceChangedSinceOrder, priceTooHigh, totalMismatch } from './paymentProblems';

const PRICE_GUARANTEE_MS = 7 * 24 * 3_600_000;

const o = alias(orders, 'o');

/** SQL over a row `o` of orders: the total in cents. */
export const totalCents = sql.raw(`o.unit_price::bigint * o.quantity * ${CENTS_PER_DOLLAR}`);

/** Why money cannot pay for an order: the order's state, a wrong amount, or too little reserved stock. */
export type NotPayableReason = Exclude<OrderRow['state'], 'unpaid'> | 'amount' | 'stock';

/**
 * SQL over a row `o` of orders: why this money cannot pay for the order, or null if it can. All code that starts or
 * records a payment uses this expression.
 */
export const reasonNotPayable = (
  cents: number | SQL,
  currency: string | SQL = CURRENCY,
) => sql<NotPayableReason | null>`(case
    when o.state <> 'unpaid' then o.state
    when ${totalCents} <> ${cents} or ${currency}::text <> '${sql.raw(CURRENCY)}' then 'amount'
    when not o.holds_stock then 'stock' end)`;

/**
 * SQL over a row `o` of orders: whether its price is so recent that it applies even if the tool's price has changed
 * since.
 */
export const isPriceGuaranteed = (now: Date) =>
  sql<boolean>`coalesce(o.priced_at, o.created_at) > ${new Date(now.getTime() - PRICE_GUARANTEE_MS)}`;

/** SQL over a row `o` of orders: whether nobody is deleting the order or ending its hold. */
export const isNotBeingDeleted = (now: Date) => sql<boolean>`(o.deleting_until is null or o.deleting_until <= ${now})`;

export interface LockedOrder {
  order: OrderRow;
  reason: NotPayableReason | null;
  isPriceGuaranteed: boolean;
  isNotBeingDeleted: boolean;
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
      reason: reasonNotPayable(cents, currency),
      isPriceGuaranteed: isPriceGuaranteed(now),
      isNotBeingDeleted: isNotBeingDeleted(now),
    })
    .from(o)
    .where(and(eq(o.id, orderId), ownerId === undefined ? undefined : eq(o.ownerId, ownerId)))
    .for('update');
  return found;
}

/**
 * @param reason undefined if the order does not exist
 * @returns the reason for the refund, as the operator reads it
 */
export function refundReasonFor(reason: NotPayableReason | undefined): string {
  if (reason === undefined) return 'unknown order';
  if (reason === 'amount') return 'other amount';
  return reason === 'stock' ? 'out of stock' : `${reason} order`;
}

/** Locks the tool's row, so that its price cannot change between this and the start of the payment. */
async function readCurrentPrice(tx: Tx, { toolId }: OrderRow): Promise<number> {
  const [tool] = await tx.select({ price: tools.price }).from(tools).where(eq(tools.id, toolId)).for('no key update');
  return tool!.price;
}

/**
 * The request contains the total that the customer saw. If that is the total at the new price, the customer has
 * accepted this price.
 */
function refuseOtherTotal({ unitPrice, quantity }: OrderRow, price: number, totalPrice: number): void {
  const total = price * quantity;
  const isNew = price !== unitPrice;
  if (isNew && total > MAX_TOTAL) throw priceTooHigh(price, total);
  if (totalPrice !== total) throw isNew ? priceChangedSinceOrder(price) : totalMismatch(total);
}

/**
 * Compares an old price with the tool's current price. If they differ and the customer has accepted the current one,
 * stores it.
 * @returns false if an open attempt at the old price must be ended first
 */
export async function acceptCurrentPrice(
  tx: Tx,
  { order, isPriceGuaranteed: isGuaranteed }: LockedOrder,
  { totalPrice, hasOpenAttempt, now }: { totalPrice: number; hasOpenAttempt: boolean; now: Date },
): Promise<boolean> {
  const price = isGuaranteed ? order.unitPrice! : await readCurrentPrice(tx, order);
  if (price !== order.unitPrice && hasOpenAttempt) return false;
  refuseOtherTotal(order, price, totalPrice);
  if (!isGuaranteed) await tx.update(orders).set({ unitPrice: price, pricedAt: now }).where(eq(orders.id, order.id));
  return true;
}
