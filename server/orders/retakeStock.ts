import { and, eq, gte, sql } from 'drizzle-orm';
import type { Tx } from '../db/open';
import { orders, tools } from '../db/schema';
import type { Deps } from '../deps';
import { unavailable } from '../errors';
import { outOfStock } from './refusals';
import type { OrderRow } from './stock';

/** While someone pays, the hold lasts at least so long. */
export const PAYING_MS = 1_800_000;

/**
 * Before a payment begins, in the transaction that begins it and has locked the order's row: the stock is there, nobody
 * ends the order meanwhile, and the hold lasts. True: stock was taken, so the catalogue changed once this is committed.
 */
export async function retakeStock(tx: Tx, { now }: Pick<Deps, 'now'>, order: OrderRow): Promise<boolean> {
  if (order.deletingUntil && order.deletingUntil > now()) throw unavailable(1);
  if (!order.holdsStock) await take(tx, order);
  const least = new Date(now().getTime() + PAYING_MS);
  const holdUntil = order.holdUntil && order.holdUntil > least ? order.holdUntil : least;
  await tx.update(orders).set({ holdsStock: true, holdUntil, deletingUntil: null }).where(eq(orders.id, order.id));
  return !order.holdsStock;
}

async function take(tx: Tx, { toolId, quantity }: OrderRow): Promise<void> {
  const taken = await tx
    .update(tools)
    .set({ availableQuantity: sql`${tools.availableQuantity} - ${quantity}` })
    .where(and(eq(tools.id, toolId), gte(tools.availableQuantity, quantity)))
    .returning({ id: tools.id });
  if (taken.length > 0) return;
  const [tool] = await tx.select().from(tools).where(eq(tools.id, toolId));
  throw outOfStock(tool!.minimumOrderQuantity, tool!.availableQuantity);
}
