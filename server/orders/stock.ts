import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { tools, type orders } from '../db/schema';

export type OrderRow = typeof orders.$inferSelect;

/** Gives an order's pieces back to its tool; the caller holds the order's row and takes the hold off it. */
export async function returnStock(tx: Tx, order: OrderRow): Promise<void> {
  if (!order.holdsStock) return;
  await tx
    .update(tools)
    .set({ availableQuantity: sql`${tools.availableQuantity} + ${order.quantity}` })
    .where(eq(tools.id, order.toolId));
}

export const noHold = { holdsStock: false, holdUntil: null, deletingUntil: null };
