import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { CENTS_PER_DOLLAR, CURRENCY } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import { paymentAttempts } from '../db/schema';
import { addMs, HOUR_MS, MINUTE_MS } from '../db/time';
import { orderPaid, paymentInProgress } from '../orders/orderProblems';
import type { PaymentContext } from './context';
import { paymentRefundDue } from './paymentProblems';
import { metadataFor, PAYABLE_STATUSES, type PaymentIntent } from './provider';
import { cancelAndSettle, closeAttemptOf, settle } from './settlePayment';

/** Longer than a call to the provider can take, so an expired lease usually means that its owner died. */
const LEASE_MS = 30_000;
/**
 * Stripe may delete idempotency keys after 24 hours (https://docs.stripe.com/api/idempotent_requests). The shop relies
 * on a key for a little less.
 */
const KEY_LIFETIME_MS = 23 * HOUR_MS;
/**
 * The provider may store a failure with the idempotency key and repeat it for each try. An attempt that fails for this
 * long is canceled, so that the next one has a new key.
 */
const GIVE_UP_AFTER_MS = MINUTE_MS;

export type AttemptRow = typeof paymentAttempts.$inferSelect;

export const leaseEndAfter = (now: Date) => addMs(now, LEASE_MS);

/**
 * The idempotency key has a random part, so that two shops never share an intent. A shop that was restored from a
 * backup has orders with the same ids as the original, and may use the same account at the provider.
 */
export const createAttemptDraft = (
  orderId: string,
  n: number,
  network: string | null,
  totalPrice: number,
  now: Date,
) => ({
  orderId,
  n,
  network,
  idempotencyKey: `order:${orderId}:${n}:${randomUUID()}`,
  amountCents: totalPrice * CENTS_PER_DOLLAR,
  currency: CURRENCY,
  leaseUntil: leaseEndAfter(now),
  checkedAt: now,
});

export async function findOpenAttempt(db: Db | Tx, orderId: string): Promise<AttemptRow | undefined> {
  const [attempt] = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.state, 'open')));
  return attempt;
}

const isStillOpen = ({ orderId, n }: AttemptRow) =>
  and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.n, n), eq(paymentAttempts.state, 'open'));

/**
 * Closes the attempt as it was read. If a slower request has saved an intent since, the customer may be paying that one.
 * @returns whether the order has no open attempt anymore
 */
export async function closeAttempt(db: Db | Tx, attempt: AttemptRow): Promise<boolean> {
  const isUnchanged = sql`${paymentAttempts.intentId} is not distinct from ${attempt.intentId}`;
  await db
    .update(paymentAttempts)
    .set({ state: 'canceled' })
    .where(and(isStillOpen(attempt), isUnchanged));
  return (await findOpenAttempt(db, attempt.orderId)) === undefined;
}

const isKeyExpired = ({ now }: PaymentContext, { createdAt }: AttemptRow) =>
  now().getTime() - createdAt.getTime() > KEY_LIFETIME_MS;

/** Creates the intent, or gets the existing one, which the provider finds by the idempotency key. */
function createWithStoredKey({ provider, shopId }: PaymentContext, attempt: AttemptRow): Promise<PaymentIntent> {
  const { orderId, n, amountCents, currency, idempotencyKey } = attempt;
  const metadata = metadataFor(shopId, orderId, n);
  return provider.createIntent({ amountCents, currency, metadata, idempotencyKey });
}

/**
 * @returns the id of the intent to cancel. If it was never saved, its client secret was never sent, so nobody can pay
 * it. It is canceled only for order at the provider, and not if that fails.
 */
async function findIntentToCancel(ctx: PaymentContext, attempt: AttemptRow): Promise<string | null> {
  if (attempt.intentId !== null || isKeyExpired(ctx, attempt)) return attempt.intentId;
  const created = await createWithStoredKey(ctx, attempt).catch(() => null);
  return created?.id ?? null;
}

/**
 * Ends the lease after a failure, so that the next request can try at once. An attempt that fails for a minute is
 * canceled, unless another request has saved its intent meanwhile, because the customer may be paying that one.
 */
async function releaseAttempt({ db, now }: PaymentContext, attempt: AttemptRow): Promise<void> {
  const isGivenUp = now().getTime() - attempt.createdAt.getTime() >= GIVE_UP_AFTER_MS;
  await db
    .update(paymentAttempts)
    .set(isGivenUp ? { state: 'canceled' } : { leaseUntil: now() })
    .where(and(isStillOpen(attempt), isNull(paymentAttempts.intentId)));
}

async function saveIntentId({ db }: PaymentContext, attempt: AttemptRow, intentId: string): Promise<boolean> {
  const isNewOrSame = or(isNull(paymentAttempts.intentId), eq(paymentAttempts.intentId, intentId));
  const { rowCount } = await db
    .update(paymentAttempts)
    .set({ intentId })
    .where(and(isStillOpen(attempt), isNewOrSame));
  return rowCount !== 0;
}

/**
 * Creates an attempt's intent. If the attempt was closed in the meantime, cancels the intent. Nobody can have paid it,
 * because its client secret was never sent.
 * @param isTakenOver whether an earlier request stored the attempt and died. Its intent may exist and may have changed,
 * so the caller must read it.
 * @returns undefined if the caller must read the order and the attempt again
 */
export async function createIntent(
  ctx: PaymentContext,
  attempt: AttemptRow,
  isTakenOver: boolean,
): Promise<PaymentIntent | undefined> {
  if (isKeyExpired(ctx, attempt)) {
    await releaseAttempt(ctx, attempt);
    return undefined;
  }
  await ctx.checkpoint('create intent');
  let intent: PaymentIntent;
  try {
    intent = await createWithStoredKey(ctx, attempt);
  } catch (error) {
    await releaseAttempt(ctx, attempt).catch((cause: unknown) =>
      ctx.log.warn({ err: cause }, 'could not release payment attempt'),
    );
    throw error;
  }
  await ctx.checkpoint('save intent');
  if (await saveIntentId(ctx, attempt, intent.id)) return isTakenOver ? undefined : intent;
  await ctx.provider.cancelIntent(intent.id);
  return undefined;
}

/**
 * @returns the intent if it can still be paid, or undefined if a new attempt may begin
 * @throws if the order is paid, or its payment is in progress or must be refunded
 */
export async function reusableIntent(ctx: PaymentContext, intentId: string): Promise<PaymentIntent | undefined> {
  const settlement = await settle(ctx, intentId);
  if (settlement.kind === 'unknown') return void (await closeAttemptOf(ctx, intentId));
  if (settlement.kind !== 'not complete')
    throw settlement.kind === 'refund due' ? paymentRefundDue(intentId) : orderPaid();
  const { intent } = settlement;
  if (PAYABLE_STATUSES.includes(intent.status)) return intent;
  if (intent.status !== 'canceled') throw paymentInProgress();
  return undefined;
}

/** 'ended' means that no money can arrive for this attempt anymore. */
export type AttemptEnding = 'ended' | 'paid' | 'in progress';

/**
 * Cancels the attempt's intent at the provider. Must not be called in a transaction, because the call can take seconds.
 */
export async function cancelAttempt(ctx: PaymentContext, attempt: AttemptRow): Promise<AttemptEnding> {
  if (!attempt.intentId && attempt.leaseUntil > ctx.now()) return 'in progress';
  const id = await findIntentToCancel(ctx, attempt);
  const settlement = id === null ? undefined : await cancelAndSettle(ctx, id);
  if (!settlement || settlement.kind === 'unknown') return 'ended';
  if (settlement.kind !== 'not complete') return 'paid';
  return settlement.intent.status === 'canceled' ? 'ended' : 'in progress';
}

/**
 * Ends an attempt at an old price, so that its intent can no longer be paid. After that, the caller must read the order
 * again.
 */
export async function cancelOutdatedAttempt(ctx: PaymentContext, attempt: AttemptRow): Promise<void> {
  const ending = await cancelAttempt(ctx, attempt);
  if (ending === 'ended') await closeAttempt(ctx.db, attempt);
  if (ending === 'in progress' && attempt.intentId) throw paymentInProgress();
}
