import { eq } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { orders } from '../db/schema';
import type { OrderContext } from './context';
import { chooseHold } from './customerLimits';
import { lockTool } from './lockTool';
import { outOfStock } from './orderProblems';
import { takeStock, type OrderRow } from './stock';

type ReserveContext = Pick<OrderContext, 'settings' | 'now'>;

/** Reserves the stock of an order whose hold has ended. The caller must have locked the customer and the order. */
export async function reserveAgain(ctx: ReserveContext, tx: Tx, order: OrderRow): Promise<void> {
  const tool = (await lockTool(tx, order.toolId, order.ownerId, ctx.now()))!;
  const hold = await chooseHold(ctx, tx, tool, order.quantity);
  if (!(await takeStock(tx, order))) throw outOfStock(tool.min, tool.available);
  await tx
    .update(orders)
    .set({ holdsStock: true, ...hold })
    .where(eq(orders.id, order.id));
}
