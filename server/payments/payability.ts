import { eq } from 'drizzle-orm';
import { CENTS, MAX_TOTAL } from '../../src/contract/limits';
import type { Tx } from '../db/database';
import { orders, tools } from '../db/schema';
import type { OrderRow } from '../orders/stock';
import { priceChangedSinceOrder, priceTooHigh, totalMismatch } from './paymentProblems';

type Priced = Pick<OrderRow, 'unitPrice' | 'quantity'>;

/** Whole dollars; null: the order has no price. */
export const totalOf = ({ unitPrice, quantity }: Priced): number | null =>
  unitPrice === null ? null : unitPrice * quantity;

export const centsOf = (order: Priced): number | null => {
  const total = totalOf(order);
  return total === null ? null : total * CENTS;
};

const PRICE_KEPT_MS = 7 * 24 * 3_600_000;

/** A price that was set or confirmed at this moment or before is compared with the tool's price again. */
export const oldestKeptPrice = (now: Date) => new Date(now.getTime() - PRICE_KEPT_MS);

const isPriceKept = ({ pricedAt, createdAt }: OrderRow, now: Date) => (pricedAt ?? createdAt) > oldestKeptPrice(now);

/** The tool's row stays locked, so that its price cannot change before the payment has begun. */
async function priceToPay(tx: Tx, order: OrderRow, now: Date): Promise<number> {
  if (isPriceKept(order, now)) return order.unitPrice!;
  const [tool] = await tx
    .select({ price: tools.price })
    .from(tools)
    .where(eq(tools.id, order.toolId))
    .for('no key update');
  return tool!.price;
}

/** Sending the total of the new price is how the customer accepts it. */
function refuseOtherTotal(order: OrderRow, price: number, totalPrice: number): void {
  const total = price * order.quantity;
  const isNew = price !== order.unitPrice;
  if (isNew && total > MAX_TOTAL) throw priceTooHigh(price, total);
  if (totalPrice !== total) throw isNew ? priceChangedSinceOrder(price) : totalMismatch(total);
}

/**
 * Compares the price with the tool's once it is old, and takes the new one when the customer has accepted it. The
 * caller has locked the order's row.
 * @returns the order as it is paid, or undefined when an open attempt at the old price must end first
 */
export async function withPriceToPay(
  tx: Tx,
  order: OrderRow,
  totalPrice: number,
  { hasOpenAttempt, now }: { hasOpenAttempt: boolean; now: Date },
): Promise<OrderRow | undefined> {
  const price = await priceToPay(tx, order, now);
  if (price !== order.unitPrice && hasOpenAttempt) return undefined;
  refuseOtherTotal(order, price, totalPrice);
  if (isPriceKept(order, now)) return order;
  const agreed = { unitPrice: price, pricedAt: now };
  await tx.update(orders).set(agreed).where(eq(orders.id, order.id));
  return { ...order, ...agreed };
}
