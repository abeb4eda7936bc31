import type { Order } from './entities';
import { formatWithCommas } from './formatWithCommas';

/** @returns for example "1,800 × Claw hammer" */
export const describeOrder = ({ totalQuantity, productName }: Order) =>
  `${formatWithCommas(totalQuantity)} × ${productName}`;

/** @param orderName what the reader calls the order, such as "your order" or "the order of Ann" */
export const deleteOrderQuestion = (order: Order, orderName = 'your order') =>
  `Delete ${orderName} for ${describeOrder(order)}? This can't be undone.`;
