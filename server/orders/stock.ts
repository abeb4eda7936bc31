import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../db/database';
import type { orders } from '../db/schema';
import { tools } from '../db/schema';
import { addMs, earlier, HOUR_MS, later, MINUTE_MS } from '../db/time';

export type OrderRow = typeof orders.$inferSelect;
type TakenStock = Pick<OrderRow, 'toolId' | 'quantity'>;

/** Starting a payment extends a hold to at least this long, but never beyond `hold_last_at`. */
const PAYMENT_HOLD_MS = 30 * MINUTE_MS;
export const SHORT_HOLD_MS = 15 * MINUTE_MS;
/** If the payment is still processing when the hold ends, the hold is extended by this much. */
const RECHECK_MS = 10 * MINUTE_MS;
/**
 * A customer who is confirming the payment at the bank (`requires_action`) keeps the hold at most this long after
 * `hold_last_at`. Without a limit, a customer who never confirms would hold the stock forever.
 */
const BANK_CONFIRMATION_MS = HOUR_MS;

/** The columns of an order that say how long it holds its stock. */
export type Hold = Record<'holdStartedAt' | 'holdUntil' | 'holdLastAt', Date>;

export function longHold(now: Date, hours: number): Hold {
  const until = addMs(now, hours * HOUR_MS);
  return { holdStartedAt: now, holdUntil: until, holdLastAt: addMs(until, PAYMENT_HOLD_MS) };
}

export function shortHold(now: Date): Hold {
  const until = addMs(now, SHORT_HOLD_MS);
  return { holdStartedAt: now, holdUntil: until, holdLastAt: until };
}

export const noHold = { holdsStock: false, holdUntil: null, claimedUntil: null };

/** @returns the new end of a hold whose time is over, if its payment is in progress. Undefined if the hold must end. */
export function holdExtension(status: string, lastAt: Date, now: Date): Date | undefined {
  const recheckAt = addMs(now, RECHECK_MS);
  if (status === 'processing') return recheckAt;
  const limit = addMs(lastAt, BANK_CONFIRMATION_MS);
  return status === 'requires_action' && now < limit ? earlier(recheckAt, limit) : undefined;
}

/**
 * @returns the end of a hold after a payment has started. The hold never becomes shorter, and is never extended beyond
 * `hold_last_at`. Orders stored by earlier versions have no `hold_last_at`, so their holds are not extended.
 */
export function extendedHold({ holdUntil, holdLastAt }: Pick<OrderRow, 'holdUntil' | 'holdLastAt'>, now: Date): Date {
  return later(holdUntil!, earlier(addMs(now, PAYMENT_HOLD_MS), holdLastAt ?? holdUntil!));
}

export const takeStockSql = ({ toolId, quantity }: TakenStock) =>
  sql`update tools set available_quantity = available_quantity - ${quantity} where id = ${toolId}`;

/** @returns false if there is too little stock */
export async function takeStock(tx: Tx, order: TakenStock): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`${takeStockSql(order)} and available_quantity >= ${order.quantity}`);
  return rowCount === 1;
}

/**
 * The caller must have locked the order's row, and must write `noHold` to it.
 * @param pieces fewer than all if a refund returns them. Then the refund's `done_at` must be written.
 */
export async function returnStock(tx: Tx, order: OrderRow, pieces = order.quantity): Promise<void> {
  if (!order.holdsStock) return;
  await tx
    .update(tools)
    .set({ availableQuantity: sql`${tools.availableQuantity} + ${pieces}` })
    .where(eq(tools.id, order.toolId));
}
