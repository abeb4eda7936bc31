import { and, eq } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAdmin, type CallerAccount } from '../auth/access';
import { recordAdminAct } from '../auth/recordAdminAct';
import type { Tx } from '../db/database';
import { orders } from '../db/schema';
import { addMs } from '../db/time';
import { mayHappen, throwIfRefused } from '../orders/mayHappen';
import { orderPaid, paymentInProgress } from '../orders/orderProblems';
import { factsOf, orderTransaction, requireFound } from '../orders/orderTransaction';
import { rememberEndedHold } from '../orders/customerLimits';
import { noHold, returnStock, type OrderRow } from '../orders/stock';
import { cancelAttempt, closeAttempt, type AttemptRow, type AttemptEnding } from '../payments/attempts';
import type { Checkpoint, PaymentContext } from '../payments/context';

/** Longer than a call to the provider can take, so an expired claim means that its owner died. */
const CLAIM_MS = 60_000;
const MAX_CHANGE_WAIT_MS = 5_000;
const RETRY_DELAY_MS = 100;

/**
 * An exclusive claim on an unpaid order. Until the claim ends, no payment of the order can begin, so that its open
 * attempt can be canceled.
 */
export interface Claim {
  orderId: string;
  until: Date;
  attempt: AttemptRow | undefined;
}

export const claimEndAfter = (now: Date) => addMs(now, CLAIM_MS);

const isClaimedBy = ({ orderId, until }: Claim) =>
  and(eq(orders.id, orderId), eq(orders.claimedUntil, until), eq(orders.state, 'unpaid'));

/**
 * Does nothing if the claim is no longer the caller's.
 * @param change other columns to write
 */
export async function releaseClaim(
  { db }: PaymentContext,
  claim: Claim,
  change: Partial<typeof orders.$inferInsert> = {},
): Promise<void> {
  await db
    .update(orders)
    .set({ claimedUntil: null, ...change })
    .where(isClaimedBy(claim));
}

/**
 * Changes an order that is not paid, or ends its hold. First cancels its open attempt at the provider, outside of any
 * transaction. Then, if the claim is still the caller's, closes the attempt and runs `work` in a transaction.
 */
export async function releaseOrder(
  ctx: PaymentContext,
  claim: Claim,
  step: Checkpoint,
  work: (tx: Tx, order: OrderRow) => Promise<unknown>,
): Promise<AttemptEnding | 'claim lost'> {
  const { attempt } = claim;
  const ending = attempt ? await cancelAttempt(ctx, attempt) : 'ended';
  if (ending !== 'ended') return ending;
  await ctx.checkpoint(step);
  return orderTransaction(ctx.db, claim.orderId, async (tx, locked) => {
    if (locked?.order.claimedUntil?.getTime() !== claim.until.getTime()) return 'claim lost';
    if (mayHappen({ ...factsOf(locked, ctx.now()), isPaymentBeingCanceled: false }).delete) return 'claim lost';
    if (attempt && !(await closeAttempt(tx, attempt))) return 'in progress';
    await work(tx, locked.order);
    return 'ended';
  });
}

/** What happens to an order that is not paid. Its open attempt is ended first. */
export interface UnpaidChange {
  orderId: string;
  /** Undefined if the caller may change everyone's orders. */
  ownerId?: string | undefined;
  question: 'delete' | 'price';
  /**
   * Called before anything is changed.
   * @returns whether the order already is as it should be
   */
  check?: (order: OrderRow) => boolean;
  work: (tx: Tx, order: OrderRow) => Promise<unknown>;
}

/**
 * Changes the order if it has no open attempt. Otherwise only claims it, so that no payment can begin while the open
 * attempt's intent is being canceled.
 */
async function changeOrClaim(ctx: PaymentContext, { orderId, ownerId, question, check, work }: UnpaidChange) {
  await ctx.checkpoint(`${question} order`);
  return orderTransaction(ctx.db, orderId, async (tx, found): Promise<Claim | 'busy' | 'ended'> => {
    const locked = requireFound(found, ownerId);
    const { order, lastAttempt } = locked;
    const refusal = mayHappen(factsOf(locked, ctx.now()))[question];
    if (refusal === paymentInProgress) return 'busy';
    throwIfRefused(refusal);
    if (check?.(order)) return 'ended';
    if (lastAttempt?.state !== 'open') {
      await work(tx, order);
      return 'ended';
    }
    const until = claimEndAfter(ctx.now());
    await tx.update(orders).set({ claimedUntil: until }).where(eq(orders.id, order.id));
    return { orderId: order.id, until, attempt: lastAttempt };
  });
}

async function changeClaimedOrder(ctx: PaymentContext, { question, work }: UnpaidChange, claim: Claim) {
  try {
    const ending = await releaseOrder(ctx, claim, `finish ${question}`, work);
    if (ending === 'paid') throw orderPaid();
    if (ending === 'in progress') throw paymentInProgress();
    return ending;
  } catch (error) {
    await releaseClaim(ctx, claim);
    throw error;
  }
}

/** Changes an order that is not paid, after its intent was canceled. `work` must end the claim. */
export async function changeUnpaidOrder(ctx: PaymentContext, change: UnpaidChange): Promise<void> {
  const deadline = performance.now() + MAX_CHANGE_WAIT_MS;
  while (performance.now() < deadline) {
    const claim = await changeOrClaim(ctx, change);
    const result = typeof claim === 'string' ? claim : await changeClaimedOrder(ctx, change, claim);
    if (result === 'ended') return;
    await sleep(RETRY_DELAY_MS);
  }
  throw paymentInProgress();
}

/** Keeps the order's row, so that a late payment can still be matched with it. */
async function markDeleted({ now }: PaymentContext, tx: Tx, actor: CallerAccount, order: OrderRow): Promise<void> {
  const at = now();
  if (actor.id !== order.ownerId)
    await recordAdminAct(tx, actor, { act: 'delete order', subject: order.id, detail: {} });
  await tx
    .update(orders)
    .set({ ...noHold, state: 'deleted', deletedAt: at })
    .where(eq(orders.id, order.id));
  await rememberEndedHold(tx, order, at);
  await returnStock(tx, order);
}

/** Customers can delete their own orders that are not paid, and admins those of everyone. */
export async function deleteOrder(ctx: PaymentContext, user: CallerAccount, orderId: string): Promise<void> {
  await changeUnpaidOrder(ctx, {
    orderId,
    ownerId: isAdmin(user) ? undefined : user.id,
    question: 'delete',
    work: (tx, order) => markDeleted(ctx, tx, user, order),
  });
  await ctx.catalog.reportChange('tools');
}
