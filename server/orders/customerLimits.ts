import { and, eq, sql } from 'drizzle-orm';
import { MAX_UNPRICED_ORDERS } from '../../src/contract/limits';
import type { Tx } from '../db/database';
import { endedHolds, orders } from '../db/schema';
import { addMs } from '../db/time';
import type { OrderContext } from './context';
import { holdLimit, tooManyUnpaid, tooManyUnpriced } from './orderProblems';
import { longHold, shortHold, SHORT_HOLD_MS, type Hold, type OrderRow } from './stock';
import { REMEMBERED_MS, type LockedTool } from './lockTool';

type LimitContext = Pick<OrderContext, 'settings' | 'now'>;

const SHORT_HOLD_SECONDS = SHORT_HOLD_MS / 1000;
/** After this many holds of a tool that ended unpaid, the customer can't hold it again. */
const MAX_ENDED_HOLDS = 2;
/** A smaller stock may be held by one customer for the usual time. */
const SHARED_FROM_MINIMUM_ORDERS = 4;

/** @throws 409 if the customer already has as many unpriced orders as possible */
export async function checkUnpricedOrders(tx: Tx, ownerId: string): Promise<void> {
  const count = await tx.$count(orders, and(eq(orders.ownerId, ownerId), sql`state = 'unpriced'`));
  if (count >= MAX_UNPRICED_ORDERS) throw tooManyUnpriced();
}

/** @throws 409 if the customer already has as many unpaid orders as possible */
export function checkUnpaidOrders({ settings }: LimitContext, { unpaidOrders }: LockedTool): void {
  if (unpaidOrders >= settings.maxUnpaidOrders) throw tooManyUnpaid(settings.maxUnpaidOrders);
}

/** @returns how many pieces of the tool are available or held by anyone's unpaid orders */
async function countUnsold(tx: Tx, { id, available }: LockedTool): Promise<number> {
  const [row] = await tx
    .select({ held: sql<number>`coalesce(sum(quantity), 0)::int` })
    .from(orders)
    .where(and(eq(orders.toolId, id), sql`state = 'unpaid' and holds_stock`));
  return available + row!.held;
}

/** Others may hold pieces too, so they are counted only if the customer's and the available ones are too few. */
async function exceedsHalf(tx: Tx, tool: LockedTool, quantity: number): Promise<boolean> {
  const wanted = tool.held + quantity;
  if (2 * wanted <= tool.available + tool.held) return false;
  const unsold = await countUnsold(tx, tool);
  return unsold >= SHARED_FROM_MINIMUM_ORDERS * tool.min && 2 * wanted > unsold;
}

/**
 * Each ended hold counts by its seconds, of which 15 minutes make one hold.
 * @returns whether one hold of the tool ended unpaid
 * @throws 409 if as many did as are possible. The error names when the oldest that counts is forgotten.
 */
function checkEndedHolds({ endedHolds: newestFirst }: LockedTool): boolean {
  let seconds = 0;
  for (const hold of newestFirst) {
    seconds += hold.seconds;
    if (seconds >= MAX_ENDED_HOLDS * SHORT_HOLD_SECONDS) throw holdLimit(addMs(new Date(hold.at), REMEMBERED_MS));
  }
  return seconds >= SHORT_HOLD_SECONDS;
}

/**
 * @returns how long the customer may hold more pieces of the tool
 * @throws 409 if the customer let too many holds of the tool end
 */
export async function chooseHold(ctx: LimitContext, tx: Tx, tool: LockedTool, quantity: number): Promise<Hold> {
  const isShort = checkEndedHolds(tool) || (await exceedsHalf(tx, tool, quantity));
  return isShort ? shortHold(ctx.now()) : longHold(ctx.now(), ctx.settings.holdHours);
}

/**
 * Remembers a hold that ends unpaid. If the customer ends it early, by deleting the order, it counts by its time. The
 * hold of an offered price does not count, because the customer did not start it. The caller must have locked the
 * order's row.
 */
export async function rememberEndedHold(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  const { ownerId, toolId, holdUntil, holdStartedAt, createdAt } = order;
  if (!holdUntil || (order.offered && !order.holdEndedAt)) return;
  const seconds = Math.ceil((now.getTime() - (holdStartedAt ?? createdAt).getTime()) / 1000);
  const heldSeconds = holdUntil <= now ? SHORT_HOLD_SECONDS : Math.min(Math.max(seconds, 1), SHORT_HOLD_SECONDS);
  await tx.insert(endedHolds).values({ ownerId, toolId, heldSeconds, endedAt: now });
}
