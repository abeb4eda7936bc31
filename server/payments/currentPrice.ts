import { eq } from 'drizzle-orm';
import { MAX_TOTAL } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import { tools } from '../db/schema';
import { addMs, DAY_MS } from '../db/time';
import type { OrderRow } from '../orders/stock';
import { priceChangedSinceOrder, priceTooHigh, totalMismatch } from './paymentProblems';

const PRICE_GUARANTEE_MS = 7 * DAY_MS;

/** @returns whether the order's price, an offer or a recent one, applies even if the tool's price has changed since */
export const isPriceGuaranteed = ({ offered, pricedAt, createdAt }: OrderRow, now: Date): boolean =>
  offered || (pricedAt ?? createdAt) > addMs(now, -PRICE_GUARANTEE_MS);

/**
 * In a transaction, locks the tool if its price applies, so that this price cannot change before the payment starts.
 * @returns the price at which the order can be paid now
 */
export async function readCurrentPrice(tx: Db | Tx, order: OrderRow, now: Date): Promise<number> {
  if (isPriceGuaranteed(order, now)) return order.unitPrice!;
  const isTool = eq(tools.id, order.toolId);
  const [tool] = await tx.select({ price: tools.price }).from(tools).where(isTool).for('no key update');
  return tool!.price;
}

/**
 * The request contains the total that the customer saw. If that is the total at the new price, the customer has
 * accepted this price.
 */
export function refuseOtherTotal({ unitPrice, quantity }: OrderRow, price: number, totalPrice: number): void {
  const total = price * quantity;
  const isNew = price !== unitPrice;
  if (isNew && total > MAX_TOTAL) throw priceTooHigh(price, total);
  if (totalPrice !== total) throw isNew ? priceChangedSinceOrder(price) : totalMismatch(total);
}
