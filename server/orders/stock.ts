import { and, eq, gte, isNotNull, sql } from 'drizzle-orm';
import { SHARED_FROM_MINIMUM_ORDERS } from '../../src/contract/stockShare';
import type { Tx } from '../db/database';
import { orders, tools } from '../db/schema';
import { outOfStock } from './orderProblems';

export type OrderRow = typeof orders.$inferSelect;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Starting a payment extends a hold to at least this long, but never beyond `hold_last_at`. */
const PAYMENT_HOLD_MS = 30 * MINUTE_MS;
/**
 * The length of a hold that is renewed after it ended. A new hold is this short too if the customer recently let a hold
 * on the same tool run out.
 */
const SHORT_HOLD_MS = 15 * MINUTE_MS;
/** After a hold has run out, the customer's holds on the same tool are short for this long. */
const SHORT_HOLDS_FOR_MS = 24 * HOUR_MS;
/** If the payment is still processing when the hold ends, the hold is extended by this much. */
const RECHECK_MS = 10 * MINUTE_MS;
/**
 * A customer who is confirming the payment at the bank (`requires_action`) keeps the hold at most this long after
 * `hold_last_at`. Without a limit, a customer who never confirms would hold the stock forever.
 */
const BANK_CONFIRMATION_MS = HOUR_MS;

export const addMs = (from: Date, ms: number) => new Date(from.getTime() + ms);
export const earliest = (a: Date, b: Date) => (a < b ? a : b);

/**
 * @returns the times of a new hold. It ends at `until`, or at `shortUntil` if the customer let a hold on the same tool
 * run out after `ranOutSince`.
 */
export function computeHoldTimes(now: Date, holdHours: number) {
  const until = addMs(now, holdHours * HOUR_MS);
  return {
    until,
    lastAt: addMs(until, PAYMENT_HOLD_MS),
    shortUntil: addMs(now, SHORT_HOLD_MS),
    ranOutSince: addMs(now, -SHORT_HOLDS_FOR_MS),
  };
}

/** @returns the times of the hold that begins when an admin offers a price */
export function computeOfferHoldTimes(now: Date, offerHours: number) {
  const until = addMs(now, offerHours * HOUR_MS);
  return { until, lastAt: addMs(until, PAYMENT_HOLD_MS) };
}

/** @returns the new end of a hold whose time is over, if its payment is in progress. Undefined if the hold must end. */
export function holdExtension(status: string, lastAt: Date, now: Date): Date | undefined {
  const recheckAt = addMs(now, RECHECK_MS);
  if (status === 'processing') return recheckAt;
  const limit = addMs(lastAt, BANK_CONFIRMATION_MS);
  return status === 'requires_action' && now < limit ? earliest(recheckAt, limit) : undefined;
}

/**
 * Decides whether deleting an order counts like a hold that ran out, which makes the customer's next hold short.
 * Otherwise a customer could hold the stock forever by deleting the order and ordering again. The deletion counts in
 * two cases:
 *
 * - The hold is over.
 * - This order and the customer's orders of the same tool that were deleted within the last day existed, added up, for
 *   at least as long as one full hold.
 */
export async function isCountedAsExpiredHold(tx: Tx, order: OrderRow, now: Date, holdHours: number): Promise<boolean> {
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
        gte(deletedAt, addMs(now, -SHORT_HOLDS_FOR_MS)),
      ),
    );
  const heldMs = row!.seconds * 1000 + (now.getTime() - order.createdAt.getTime());
  return heldMs >= holdHours * HOUR_MS;
}

/** The caller must have locked the order's row, and must write `noHold` to it. */
export async function returnStock(tx: Tx, order: OrderRow): Promise<void> {
  if (!order.holdsStock) return;
  await tx
    .update(tools)
    .set({ availableQuantity: sql`${tools.availableQuantity} + ${order.quantity}` })
    .where(eq(tools.id, order.toolId));
}

export const noHold = { holdsStock: false, holdUntil: null, deletingUntil: null };

/**
 * SQL: how many more pieces of a tool a customer who already holds `held` pieces may reserve. A customer may hold at
 * most half of the stock that others have left: `held + more <= available - more`. If others have left less than four
 * minimum orders, the customer may reserve all available pieces.
 */
export const reservablePiecesSql = (available: string, held: string) =>
  `case when ${available} + ${held} < ${SHARED_FROM_MINIMUM_ORDERS} * min then ${available}
    else greatest((${available} - ${held}) / 2, 0) end`;

/**
 * SQL: how many pieces of `tool` the customer's unpaid orders hold. `tool_id` is in the sum's filter, because with it
 * in the WHERE clause PostgreSQL might scan all orders of the tool.
 */
export const heldPiecesSql = (owner: string) => `
  (select coalesce(sum(quantity) filter (where tool_id = tool.id and holds_stock), 0)::int
    from orders where owner_id = ${owner} and state = 'unpaid')`;

/**
 * SQL: the end of a hold after a payment has started. The hold never becomes shorter, and is never extended beyond
 * `hold_last_at`. Orders stored by earlier versions have no `hold_last_at`, so their holds are not extended.
 */
export const extendedHoldSql = (now: Date) =>
  sql`greatest(hold_until, least(${addMs(now, PAYMENT_HOLD_MS)}, coalesce(hold_last_at, hold_until)))`;

/** The caller must have locked the order's row. */
export async function extendHold(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  await tx
    .update(orders)
    .set({ holdUntil: extendedHoldSql(now), deletingUntil: null })
    .where(eq(orders.id, order.id));
}

const startHold = (tx: Tx, order: OrderRow, holdUntil: Date, holdLastAt: Date | null) =>
  tx.update(orders).set({ holdsStock: true, holdUntil, holdLastAt }).where(eq(orders.id, order.id));

/** After a hold has ended, reserves the stock again for a short time. The caller must have locked the order's row. */
export async function reserveStock(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  await takeStockWithinShare(tx, order);
  const until = addMs(now, SHORT_HOLD_MS);
  await startHold(tx, order, until, until);
}

/**
 * Reserves the stock of an order that the same transaction marks as paid, because its payment has succeeded. The
 * customer's share is not checked, because it limits only unpaid orders.
 * @returns false if there is too little stock
 */
export async function reserveStockForPaid(tx: Tx, order: OrderRow, now: Date): Promise<boolean> {
  if (!(await takeStock(tx, order))) return false;
  await startHold(tx, order, now, order.holdLastAt);
  return true;
}

/** @returns false if there is too little stock */
export async function takeStock(tx: Tx, { toolId, quantity }: OrderRow): Promise<boolean> {
  const taken = await tx
    .update(tools)
    .set({ availableQuantity: sql`${tools.availableQuantity} - ${quantity}` })
    .where(and(eq(tools.id, toolId), gte(tools.availableQuantity, quantity)))
    .returning({ id: tools.id });
  return taken.length > 0;
}

/** Locks the tool's row first. Otherwise another order could change the customer's holds after they were read. */
async function takeStockWithinShare(tx: Tx, order: OrderRow): Promise<void> {
  await tx.execute(sql`select from tools where id = ${order.toolId} for update`);
  const { rows } = await tx.execute<{ min: number; available: number; share: number }>(sql`
    select min, available, ${sql.raw(reservablePiecesSql('available', 'held'))} as share
    from (select minimum_order_quantity as min, available_quantity as available,
        ${sql.raw(heldPiecesSql('o.owner_id'))} as held
      from orders o join tools tool on tool.id = o.tool_id where o.id = ${order.id}) current_stock`);
  const { min, available, share } = rows[0]!;
  if (order.quantity <= share && (await takeStock(tx, order))) return;
  throw outOfStock(min, share, share < available);
}
