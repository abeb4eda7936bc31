import { and, eq, gte, isNotNull, sql } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { orders, tools } from '../db/schema';
import { outOfStock } from './orderProblems';

export type OrderRow = typeof orders.$inferSelect;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Starting a payment makes a hold last at least this long, but not beyond its last moment. */
const PAYING_MS = 30 * MINUTE_MS;
/** Of a hold that is taken again after it ended, and of a customer who let a hold on the same tool run out. */
const SHORT_HOLD_MS = 15 * MINUTE_MS;
/** How long a hold that ran out makes the customer's next holds on the same tool short. */
const RUN_OUT_COUNTS_MS = 24 * HOUR_MS;
/** While the provider works on a payment, the sweep looks again after this time. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS;
/**
 * A customer who confirms at the bank (`requires_action`) keeps the hold this long beyond its last moment. The customer
 * decides when that state ends, so without a bound a payment that is never finished would hold stock for ever.
 */
const CONFIRMING_MS = HOUR_MS;

export const addMs = (from: Date, ms: number) => new Date(from.getTime() + ms);
export const earliest = (one: Date, other: Date) => (one < other ? one : other);

/** The times of a new order's hold. The short ones are for a customer whose hold ran out since `ranOutSince`. */
export function newHoldTimes(now: Date, holdHours: number) {
  const until = addMs(now, holdHours * HOUR_MS);
  return {
    until,
    lastAt: addMs(until, PAYING_MS),
    shortUntil: addMs(now, SHORT_HOLD_MS),
    ranOutSince: addMs(now, -RUN_OUT_COUNTS_MS),
  };
}

/** @returns until when a hold goes on although it is over; undefined when it ends. */
export function holdGoesOnUntil(status: string, lastAt: Date, now: Date): Date | undefined {
  const lookAgain = addMs(now, LOOK_AGAIN_MS);
  if (status === 'processing') return lookAgain;
  const bound = addMs(lastAt, CONFIRMING_MS);
  return status === 'requires_action' && now < bound ? earliest(lookAgain, bound) : undefined;
}

/**
 * Whether the deletion of an order counts as a hold that ran out: it is over and the sweep has not seen it yet, or the
 * customer's deleted orders held the tool for the time of a whole hold within a day. Otherwise a customer could delete
 * and order again for ever.
 */
export async function countsAsRunOut(tx: Tx, order: OrderRow, now: Date, holdHours: number): Promise<boolean> {
  if (!order.holdsStock || !order.holdUntil) return false;
  if (order.holdUntil <= now) return true;
  const { ownerId, toolId, state, unitPrice, deletedAt, createdAt } = orders;
  const [row] = await tx
    .select({ seconds: sql<number>`coalesce(sum(extract(epoch from ${deletedAt} - ${createdAt})), 0)::float` })
    .from(orders)
    .where(
      and(
        eq(ownerId, order.ownerId),
        eq(toolId, order.toolId),
        eq(state, 'deleted'),
        isNotNull(unitPrice),
        gte(deletedAt, addMs(now, -RUN_OUT_COUNTS_MS)),
      ),
    );
  const heldMs = row!.seconds * 1000 + (now.getTime() - order.createdAt.getTime());
  return heldMs >= holdHours * HOUR_MS;
}

/** Gives an order's pieces back to its tool; the caller holds the order's row and takes the hold off it. */
export async function returnStock(tx: Tx, order: OrderRow): Promise<void> {
  if (!order.holdsStock) return;
  await tx
    .update(tools)
    .set({ availableQuantity: sql`${tools.availableQuantity} + ${order.quantity}` })
    .where(eq(tools.id, order.toolId));
}

export const noHold = { holdsStock: false, holdUntil: null, deletingUntil: null };

/**
 * SQL: how many pieces of a tool one customer may still reserve, of whom `held` are reserved already. One customer holds
 * at most half of the stock: `held + more <= available - more`. Small stock may go to one customer.
 */
export const shareOf = (available: string, held: string) =>
  `case when ${available} + ${held} < 4 * min then ${available} else greatest((${available} - ${held}) / 2, 0) end`;

/**
 * SQL: what a customer's unpaid orders hold of `tool`. As a filter of the sum, `tool_id` cannot make PostgreSQL look
 * through all orders of the tool.
 */
export const heldUnpaidBy = (owner: string) => `
  (select coalesce(sum(quantity) filter (where tool_id = tool.id and holds_stock), 0)::int
    from orders where owner_id = ${owner} and state = 'unpaid')`;

/**
 * SQL: until when a hold lasts once a payment starts. Never shorter than it was, and never beyond the last moment.
 * Orders of versions before have no last moment, and keep what they have.
 */
export const extendedHold = (now: Date) =>
  sql`greatest(hold_until, least(${addMs(now, PAYING_MS)}, coalesce(hold_last_at, hold_until)))`;

/** The caller has locked the order's row. */
export async function extendHold(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  await tx
    .update(orders)
    .set({ holdUntil: extendedHold(now), deletingUntil: null })
    .where(eq(orders.id, order.id));
}

const startHold = (tx: Tx, order: OrderRow, holdUntil: Date, holdLastAt: Date | null) =>
  tx.update(orders).set({ holdsStock: true, holdUntil, holdLastAt }).where(eq(orders.id, order.id));

/** Reserves an order's stock again, for a short time. The caller has locked the order's row. */
export async function reserveStock(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  await takeShare(tx, order);
  const until = addMs(now, SHORT_HOLD_MS);
  await startHold(tx, order, until, until);
}

/**
 * The same for an order whose money has come, until it is paid in the same transaction. The share of its customer does
 * not matter: a paid order is no part of it.
 * @returns false when there is too little
 */
export async function reserveStockForPaid(tx: Tx, order: OrderRow, now: Date): Promise<boolean> {
  if (!(await takeAvailable(tx, order))) return false;
  await startHold(tx, order, now, order.holdLastAt);
  return true;
}

/** @returns false when there is too little. */
async function takeAvailable(tx: Tx, { toolId, quantity }: OrderRow): Promise<boolean> {
  const taken = await tx
    .update(tools)
    .set({ availableQuantity: sql`${tools.availableQuantity} - ${quantity}` })
    .where(and(eq(tools.id, toolId), gte(tools.availableQuantity, quantity)))
    .returning({ id: tools.id });
  return taken.length > 0;
}

/** The tool's row is locked before the customer's holds are read, so no other order can change them meanwhile. */
async function takeShare(tx: Tx, order: OrderRow): Promise<void> {
  await tx.execute(sql`select from tools where id = ${order.toolId} for update`);
  const { rows } = await tx.execute<{ min: number; available: number; share: number }>(sql`
    select min, available, ${sql.raw(shareOf('available', 'held'))} as share
    from (select minimum_order_quantity as min, available_quantity as available,
        ${sql.raw(heldUnpaidBy('o.owner_id'))} as held
      from orders o join tools tool on tool.id = o.tool_id where o.id = ${order.id}) now`);
  const { min, available, share } = rows[0]!;
  if (order.quantity <= share && (await takeAvailable(tx, order))) return;
  throw outOfStock(min, share, share < available);
}
