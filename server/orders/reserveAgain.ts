import type { Tx } from '../db/database';
import type { OrderContext } from './context';
import { chooseHold } from './customerLimits';
import { lockTool } from './lockTool';
import { outOfStock } from './orderProblems';
import { takeStock, type Hold, type OrderRow } from './stock';

type ReserveContext = Pick<OrderContext, 'settings' | 'now'>;

/**
 * Takes the stock of an order whose hold has ended. The transaction must have locked the customer and the order, and
 * must write the hold to the order.
 */
export async function reserveAgain(ctx: ReserveContext, tx: Tx, order: OrderRow): Promise<Hold> {
  const tool = (await lockTool(tx, order.toolId, order.ownerId, ctx.now()))!;
  const hold = await chooseHold(ctx, tx, tool, order.quantity);
  if (!(await takeStock(tx, order))) throw outOfStock(tool.min, tool.available);
  return hold;
}
