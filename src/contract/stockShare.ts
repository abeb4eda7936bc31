import type { Order, Tool } from './entities';

/** Below this number of minimum orders in stock, one customer may reserve all of it. */
export const SHARED_FROM_MINIMUM_ORDERS = 4;

/**
 * @param held how many pieces of the tool the customer's unpaid orders reserve already
 * @returns how many more the customer can reserve. `reservablePiecesSql` in server/orders/stock.ts decides the same in
 *   SQL.
 */
export function reservableQuantity(tool: Pick<Tool, 'minimumOrderQuantity' | 'availableQuantity'>, held = 0): number {
  const { minimumOrderQuantity, availableQuantity } = tool;
  const isShared = availableQuantity + held >= SHARED_FROM_MINIMUM_ORDERS * minimumOrderQuantity;
  return isShared ? Math.max(Math.floor((availableQuantity - held) / 2), 0) : availableQuantity;
}

/** @returns how many pieces of the tool the unpaid ones among these orders reserve */
export const heldQuantity = (orders: Order[], toolId: string, now: Date): number =>
  orders
    .filter((order) => order.toolId === toolId && order.status === 'unpaid')
    .filter(({ heldUntil }) => heldUntil !== null && new Date(heldUntil) > now)
    .reduce((sum, { totalQuantity }) => sum + totalQuantity, 0);
