import { eq, sql, type SQL } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { orders } from '../db/schema';
import { rememberEndedHold } from '../orders/customerLimits';
import { holdExtension, noHold, returnStock, type OrderRow } from '../orders/stock';
import { findOpenAttempt, type AttemptRow } from '../payments/attempts';
import type { PaymentContext } from '../payments/context';
import { claimEndAfter, releaseClaim, releaseOrder, type Claim } from './releaseOrder';

interface ClaimedHold extends Claim {
  /** The order's `hold_last_at`, or its `hold_until` if an earlier version stored the order. */
  lastAt: Date;
}

interface HoldSelection {
  condition: SQL;
  /**
   * Whether the time of these holds is over. If it is, a payment in progress extends the hold. If it is not, the
   * operator ends the holds early, which also cancels payments in progress if the provider still can.
   */
  hasRunOut: boolean;
}

/**
 * Claims the next hold. Until the claim is released, other servers skip the hold, and no payment of its order can
 * begin.
 */
async function claimNextHold({ db, now }: PaymentContext, condition: SQL): Promise<ClaimedHold | undefined> {
  const until = claimEndAfter(now());
  const isNotClaimed = sql`(${orders.claimedUntil} is null or ${orders.claimedUntil} <= ${now()})`;
  const due = db
    .select({ id: orders.id })
    .from(orders)
    .where(sql`${orders.state} = 'unpaid' and ${orders.holdsStock} and ${condition} and ${isNotClaimed}`)
    .orderBy(orders.holdUntil)
    .limit(1)
    .for('update', { skipLocked: true });
  const [claimed] = await db
    .update(orders)
    .set({ claimedUntil: until })
    .where(sql`${orders.id} = (${due})`)
    .returning({ orderId: orders.id, lastAt: orders.holdLastAt, holdUntil: orders.holdUntil });
  if (!claimed) return undefined;
  const { orderId, lastAt, holdUntil } = claimed;
  return { orderId, until, attempt: undefined, lastAt: lastAt ?? holdUntil! };
}

/** Returns the stock but keeps the price. The customer can still pay as long as there is stock. */
async function endHold(tx: Tx, order: OrderRow, runOutAt: Date | undefined): Promise<void> {
  await tx
    .update(orders)
    .set({ ...noHold, ...(runOutAt && { holdEndedAt: runOutAt }) })
    .where(eq(orders.id, order.id));
  if (runOutAt) await rememberEndedHold(tx, order, runOutAt);
  await returnStock(tx, order);
}

/** @returns the new end of the hold if the customer's payment is in progress, or undefined if the hold must end */
async function findHoldExtension({ provider, now }: PaymentContext, { intentId }: AttemptRow, lastAt: Date) {
  const intent = intentId === null ? null : await provider.findIntent(intentId);
  return intent ? holdExtension(intent.status, lastAt, now()) : undefined;
}

/** @returns whether the hold ended */
async function endClaimedHold(ctx: PaymentContext, claimed: ClaimedHold, hasRunOut: boolean): Promise<boolean> {
  try {
    const attempt = await findOpenAttempt(ctx.db, claimed.orderId);
    const holdUntil = attempt && hasRunOut ? await findHoldExtension(ctx, attempt, claimed.lastAt) : undefined;
    const runOutAt = hasRunOut ? ctx.now() : undefined;
    const ending = holdUntil
      ? 'in progress'
      : await releaseOrder(ctx, { ...claimed, attempt }, 'end hold', (tx, order) => endHold(tx, order, runOutAt));
    if (ending !== 'ended') await releaseClaim(ctx, claimed, holdUntil && { holdUntil });
    return ending === 'ended';
  } catch (error) {
    await releaseClaim(ctx, claimed);
    throw error;
  }
}

/**
 * Ends the selected holds, except those that a payment extends and those whose payment the provider cannot cancel. An
 * error with one hold does not stop the others.
 */
async function endHolds(ctx: PaymentContext, { condition, hasRunOut }: HoldSelection) {
  const skipped: string[] = [];
  const errors: unknown[] = [];
  let ended = 0;
  while (!ctx.closing.aborted) {
    const remaining =
      skipped.length > 0 ? sql`${condition} and ${orders.id} <> all(${sql.param(skipped)}::uuid[])` : condition;
    const claimed = await claimNextHold(ctx, remaining);
    if (!claimed) break;
    const isEnded = await endClaimedHold(ctx, claimed, hasRunOut).catch((error: unknown) => void errors.push(error));
    if (!isEnded) skipped.push(claimed.orderId);
    else {
      ended++;
      await ctx.catalog.reportChange('tools');
    }
  }
  return { ended, errors };
}

/**
 * The sweep calls this. The next sweep tries again to end the holds that could not be ended.
 * @returns how many holds were ended
 */
export async function endExpiredHolds(ctx: PaymentContext): Promise<number> {
  const expired = { condition: sql`${orders.holdUntil} <= ${ctx.now()}`, hasRunOut: true };
  const { ended, errors } = await endHolds(ctx, expired);
  for (const err of errors) ctx.log.warn({ err }, 'could not end hold');
  return ended;
}

/**
 * Ends all unpaid holds of a tool for the operator, even those that are not over.
 * @returns how many holds were ended
 */
export async function releaseHolds(ctx: PaymentContext, toolId: string): Promise<number> {
  const { ended, errors } = await endHolds(ctx, { condition: sql`${orders.toolId} = ${toolId}`, hasRunOut: false });
  if (errors.length > 0) throw errors[0];
  return ended;
}
