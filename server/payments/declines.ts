import { createHmac } from 'node:crypto';
import { and, eq, gt, isNotNull, sql, type SQL } from 'drizzle-orm';
import { MAX_DECLINES, MAX_DECLINES_PER_NETWORK } from '../../src/contract/limits';
import type { Tx } from '../db/database';
import { lockedTransaction } from '../db/lockedTransaction';
import { ADVISORY_LOCKS } from '../db/locks';
import { declines, orders, paymentAttempts } from '../db/schema';
import { addMs, HOUR_MS } from '../db/time';
import { networkOf } from '../http/network';
import type { PaymentContext } from './context';
import { tooManyDeclines } from './paymentProblems';
import { PAYABLE_STATUSES, type PaymentIntent } from './provider';

export const DECLINES_COUNT_MS = HOUR_MS;

/** Declines count for both, over all orders, deleted ones too. */
interface Payer {
  userId: string;
  network: string | null;
}

/**
 * A keyed hash, because an attempt is kept and must not reveal where the customer was.
 * @returns null if networks are not limited
 */
export const hashNetwork = ({ settings, shopId }: PaymentContext, address: string): string | null =>
  settings.rateLimit ? createHmac('sha256', shopId).update(networkOf(address)).digest('base64url') : null;

const windowStart = (now: Date) => addMs(now, -DECLINES_COUNT_MS);

/** @returns when the number of declines falls below the limit, or undefined if it is below */
async function findLimitEnd(tx: Tx, counted: SQL | undefined, max: number, now: Date): Promise<Date | undefined> {
  const [last] = await tx
    .select({ at: declines.at })
    .from(declines)
    .where(and(counted, gt(declines.at, windowStart(now))))
    .orderBy(sql`${declines.at} desc`)
    .limit(1)
    .offset(max - 1);
  return last && addMs(last.at, DECLINES_COUNT_MS);
}

async function findEndOfPause(tx: Tx, { userId, network }: Payer, now: Date): Promise<Date | undefined> {
  const ends = [
    await findLimitEnd(tx, eq(declines.userId, userId), MAX_DECLINES, now),
    network === null ? undefined : await findLimitEnd(tx, eq(declines.network, network), MAX_DECLINES_PER_NETWORK, now),
  ].filter((end) => end !== undefined);
  return ends.sort((a, b) => b.getTime() - a.getTime())[0];
}

/**
 * Must run in a transaction that has locked the customer, because declines are recorded under that lock.
 * @throws 429 after too many declined cards of this customer or in this network
 */
export async function refuseAfterDeclines(tx: Tx, payer: Payer, now: Date): Promise<void> {
  const until = await findEndOfPause(tx, payer, now);
  if (until) throw tooManyDeclines(Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)));
}

async function findPayer({ db }: PaymentContext, intentId: string): Promise<Payer | undefined> {
  const [payer] = await db
    .select({ userId: orders.ownerId, network: paymentAttempts.network })
    .from(paymentAttempts)
    .innerJoin(orders, eq(orders.id, paymentAttempts.orderId))
    .where(eq(paymentAttempts.intentId, intentId));
  return payer;
}

/**
 * Records the intent's declined cards, each of them once. Locks the customer and the network, so that the limits are
 * exact if several servers record declines at the same time.
 * @returns the customer, and whether the customer or the network has reached the limit
 */
async function recordDeclines(ctx: PaymentContext, { id, hasCharge }: PaymentIntent) {
  const payer = hasCharge ? await findPayer(ctx, id) : undefined;
  if (!payer) return undefined;
  const { userId, network } = payer;
  const now = ctx.now();
  const declined = (await ctx.provider.listDeclines(id)).filter(({ at }) => at > windowStart(now));
  await ctx.checkpoint('record declines');
  return lockedTransaction(ctx.db, { customerId: userId }, async (tx) => {
    if (network !== null)
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${network}, ${ADVISORY_LOCKS.declines}))`);
    if (declined.length > 0)
      await tx
        .insert(declines)
        .values(declined.map((decline) => ({ ...decline, userId, network })))
        .onConflictDoNothing();
    return { userId, isOverLimit: (await findEndOfPause(tx, payer, now)) !== undefined };
  });
}

/** Cancels the other intents of a customer too, because each of them could try more cards. */
async function cancelOpenIntents({ db, provider, log }: PaymentContext, userId: string): Promise<void> {
  const open = await db
    .select({ intentId: paymentAttempts.intentId })
    .from(paymentAttempts)
    .innerJoin(orders, eq(orders.id, paymentAttempts.orderId))
    .where(and(eq(orders.ownerId, userId), eq(paymentAttempts.state, 'open'), isNotNull(paymentAttempts.intentId)));
  for (const { intentId } of open) {
    const canceled = await provider.cancelIntent(intentId!);
    if (canceled?.status === 'canceled') log.info({ intentId }, 'payment canceled after declined cards');
  }
}

/**
 * Records the intent's declined cards. At the limit, cancels the customer's open intents. If the server dies before
 * that, the sweep cancels them.
 * @returns the intent in its new state
 */
export async function limitDeclines(ctx: PaymentContext, intent: PaymentIntent): Promise<PaymentIntent> {
  const recorded = await recordDeclines(ctx, intent);
  if (!recorded?.isOverLimit || !PAYABLE_STATUSES.includes(intent.status)) return intent;
  await ctx.checkpoint('cancel declined intent');
  await cancelOpenIntents(ctx, recorded.userId);
  return (await ctx.provider.findIntent(intent.id)) ?? intent;
}
