import { and, eq, gte, sql } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { orders, tools } from '../db/schema';
import type { Deps } from '../deps';
import { unavailable } from '../http/problems';
import { earliest, later, PAYING_MS, SHORT_HOLD_MS } from './holdTimes';
import { outOfStock } from './orderProblems';
import type { OrderRow } from './stock';

/**
 * Before a payment begins, in the transaction that begins it and has locked the order's row: the stock is there, nobody
 * ends the order meanwhile, and the hold lasts. True: stock was taken, so the catalogue changed once this is committed.
 */
export async function retakeStock(tx: Tx, { now }: Pick<Deps, 'now'>, order: OrderRow): Promise<boolean> {
  if (order.deletingUntil && order.deletingUntil > now()) throw unavailable(1);
  if (!order.holdsStock) await takeShare(tx, order);
  const times = order.holdsStock ? { holdUntil: extended(order, now()) } : shortHold(now());
  await tx
    .update(orders)
    .set({ holdsStock: true, deletingUntil: null, ...times })
    .where(eq(orders.id, order.id));
  return !order.holdsStock;
}

/** Never shorter, and never beyond the last moment. Orders of versions before have none, and keep what they have. */
function extended({ holdUntil, holdLastAt }: OrderRow, now: Date): Date {
  const until = holdLastAt ? earliest(later(now, PAYING_MS), holdLastAt) : holdUntil!;
  return until > holdUntil! ? until : holdUntil!;
}

function shortHold(now: Date) {
  const holdUntil = later(now, SHORT_HOLD_MS);
  return { holdUntil, holdLastAt: holdUntil };
}

/** @returns false when there is too little. */
export async function takeAvailable(tx: Tx, { toolId, quantity }: OrderRow): Promise<boolean> {
  const taken = await tx
    .update(tools)
    .set({ availableQuantity: sql`${tools.availableQuantity} - ${quantity}` })
    .where(and(eq(tools.id, toolId), gte(tools.availableQuantity, quantity)))
    .returning({ id: tools.id });
  return taken.length > 0;
}

/**
 * The rule of placeStatement.ts, by which one customer holds at most half of the stock. The tool's row is locked before
 * the customer's holds are read, so no other order can change them meanwhile.
 */
async function takeShare(tx: Tx, order: OrderRow): Promise<void> {
  const [tool] = await tx.select().from(tools).where(eq(tools.id, order.toolId)).for('update');
  const { minimumOrderQuantity: min, availableQuantity: available } = tool!;
  const held = await heldBy(tx, order);
  const share = available + held < 4 * min ? available : Math.max(0, Math.floor((available - held) / 2));
  if (order.quantity <= share && (await takeAvailable(tx, order))) return;
  throw outOfStock(min, share, share < available);
}

async function heldBy(tx: Tx, { ownerId, toolId }: OrderRow): Promise<number> {
  const [row] = await tx
    .select({ held: sql<number>`coalesce(sum(${orders.quantity}), 0)::int` })
    .from(orders)
    .where(
      and(
        eq(orders.ownerId, ownerId),
        eq(orders.toolId, toolId),
        eq(orders.state, 'unpaid'),
        eq(orders.holdsStock, true),
      ),
    );
  return row!.held;
}
