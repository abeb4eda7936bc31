import { and, eq, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAdmin, type CallerAccount } from '../auth/access';
import type { Tx } from '../db/database';
import { withTransactionRetry } from '../db/retryConflicts';
import { orderCounts, orders } from '../db/schema';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { orderPaid, paymentInProgress } from '../orders/orderProblems';
import { countsAsRunOut, noHold, returnStock, type OrderRow } from '../orders/stock';
import { cancelAttempt, closeAttempt, openAttempt, type AttemptRow, type AttemptEnding } from './attempts';
import type { Checkpoint, PaymentContext } from './context';

/** Longer than the provider's calls can take: an expired claim means that its owner died. */
const CLAIM_MS = 60_000;
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/** An unpaid order for which no payment begins until then: its payment is canceled first. */
export interface Claim {
  orderId: string;
  until: Date;
  attempt: AttemptRow | undefined;
}

export const claimFrom = (now: Date) => new Date(now.getTime() + CLAIM_MS);

const isClaimedBy = ({ orderId, until }: Claim) =>
  and(eq(orders.id, orderId), eq(orders.deletingUntil, until), eq(orders.state, 'unpaid'));

/** @param change what else is written, while the claim is still the caller's */
export async function releaseClaim(
  { db }: PaymentContext,
  claim: Claim,
  change: Partial<typeof orders.$inferInsert> = {},
): Promise<void> {
  await db
    .update(orders)
    .set({ deletingUntil: null, ...change })
    .where(isClaimedBy(claim));
}

/**
 * Cancels the payment of a claimed order outside of any transaction. Then closes its attempt and does `work` in one, if
 * the claim is still the caller's. Deleting an order and ending its hold are both done by this.
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
  return withTransactionRetry(() =>
    ctx.db.transaction(async (tx) => {
      const [order] = await tx.select().from(orders).where(isClaimedBy(claim)).for('update');
      if (!order) return 'claim lost';
      if (attempt) await closeAttempt(tx, attempt);
      await work(tx, order);
      return 'ended';
    }),
  );
}

/** A tombstone stays, so that money which comes late still finds what it was for. */
export async function markDeleted({ now, settings }: PaymentContext, tx: Tx, order: OrderRow): Promise<void> {
  const at = now();
  const hasRunOut = await countsAsRunOut(tx, order, at, settings.holdHours);
  await tx
    .update(orders)
    .set({ ...noHold, state: 'deleted', deletedAt: at, ...(hasRunOut && { holdEndedAt: at }) })
    .where(eq(orders.id, order.id));
  await returnStock(tx, order);
  await tx
    .update(orderCounts)
    .set({ n: sql`${orderCounts.n} - 1` })
    .where(eq(orderCounts.shard, 0));
}

async function lockUnpaid(tx: Tx, user: CallerAccount, id: string): Promise<OrderRow> {
  const isTheirs = isAdmin(user) ? undefined : eq(orders.ownerId, user.id);
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), isTheirs))
    .for('update');
  if (!order || order.state === 'deleted') throw orderNotFound();
  if (order.state === 'paid') throw orderPaid();
  return order;
}

/** Deletes at once what nobody is paying. Otherwise claims it, so that no payment begins while the intent is canceled. */
function deleteOrClaim(ctx: PaymentContext, user: CallerAccount, orderId: string) {
  const { db, now, checkpoint } = ctx;
  return withTransactionRetry(async () => {
    await checkpoint('delete order');
    return db.transaction(async (tx): Promise<Claim | 'busy' | 'ended'> => {
      const order = await lockUnpaid(tx, user, orderId);
      if (order.deletingUntil && order.deletingUntil > now()) return 'busy';
      const attempt = await openAttempt(tx, orderId);
      const until = claimFrom(now());
      if (attempt) await tx.update(orders).set({ deletingUntil: until }).where(eq(orders.id, orderId));
      else await markDeleted(ctx, tx, order);
      return attempt ? { orderId, until, attempt } : 'ended';
    });
  });
}

async function deleteClaimed(ctx: PaymentContext, claim: Claim) {
  try {
    const ending = await releaseOrder(ctx, claim, 'finish delete', (tx, order) => markDeleted(ctx, tx, order));
    if (ending === 'paid') throw orderPaid();
    if (ending === 'in progress') throw paymentInProgress();
    return ending;
  } catch (error) {
    await releaseClaim(ctx, claim);
    throw error;
  }
}

/** Own unpaid orders (admins: any): the intent is canceled first, then the stock returns. */
export async function deleteOrder(ctx: PaymentContext, user: CallerAccount, id: string): Promise<void> {
  if (!UUID.test(id)) throw orderNotFound();
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_AGAIN_MS) {
    const begun = await deleteOrClaim(ctx, user, id);
    const result = typeof begun === 'string' ? begun : await deleteClaimed(ctx, begun);
    if (result === 'ended') return ctx.catalog.changed('tools');
    await sleep(LOOK_AGAIN_MS);
  }
  throw paymentInProgress();
}
