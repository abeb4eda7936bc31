import { CENTS } from '../../src/contract/limits';
import type { OrderRow } from '../orders/stock';

type Priced = Pick<OrderRow, 'unitPrice' | 'quantity'>;

/** Whole dollars; null: the order has no price. */
export const totalOf = ({ unitPrice, quantity }: Priced): number | null =>
  unitPrice === null ? null : unitPrice * quantity;

export const centsOf = (order: Priced): number | null => {
  const total = totalOf(order);
  return total === null ? null : total * CENTS;
};
