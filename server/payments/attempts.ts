import { and, eq, isNull } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { CENTS, CURRENCY } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import { paymentAttempts } from '../db/schema';
import { orderPaid, paymentInProgress } from '../orders/orderProblems';
import type { PaymentContext } from './context';
import { limitDeclines } from './declines';
import { paymentReturned } from './paymentProblems';
import { belongsToThisShop, metadataFor, PAYABLE, withinDeadline, type PaymentIntent } from './provider';
import { settleIntent } from './settlePayment';

/** Longer than the provider's calls can take: an expired lease means that its owner died. */
const LEASE_MS = 30_000;
/** The provider forgets idempotency keys after a day. */
const KEY_HOLDS_MS = 23 * 3_600_000;
/** A failure that the provider remembers with the key would stay: after so long another key is tried. */
const GIVE_UP_AFTER_MS = 60_000;
const CLOCKS_DIFFER_MS = 300_000;

export type AttemptRow = typeof paymentAttempts.$inferSelect;
export type PaymentAttempt = Omit<AttemptRow, 'intentId' | 'state' | 'refusedUntil' | 'checkedAt'>;
type Named = Pick<PaymentAttempt, 'orderId' | 'n'>;

export const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** The key is random: a restored copy of this shop has orders with the same ids, at the same provider. */
export const attemptDraft = (orderId: string, n: number, totalPrice: number, now: Date) => ({
  orderId,
  n,
  idempotencyKey: `order:${orderId}:${n}:${randomUUID()}`,
  amountCents: totalPrice * CENTS,
  currency: CURRENCY,
  leaseUntil: leaseFrom(now),
});

export async function openAttempt(db: Db | Tx, orderId: string): Promise<AttemptRow | undefined> {
  const [attempt] = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.state, 'open')));
  return attempt;
}

const stillOpen = ({ orderId, n }: Named) =>
  and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.n, n), eq(paymentAttempts.state, 'open'));

export async function closeAttempt(db: Db | Tx, attempt: Named): Promise<void> {
  await db.update(paymentAttempts).set({ state: 'canceled' }).where(stillOpen(attempt));
}

async function findLostIntent({ provider, shopId }: PaymentContext, { orderId, n, createdAt }: PaymentAttempt) {
  const since = new Date(createdAt.getTime() - CLOCKS_DIFFER_MS);
  for await (const intent of provider.listIntents(since)) {
    const { id, metadata } = intent;
    const isNamed = metadata['order_id'] === orderId && metadata['attempt'] === String(n);
    if (isNamed && belongsToThisShop(shopId, intent)) return id;
  }
  return undefined;
}

/** Of an attempt whose server died before it could save the intent: the id of what the provider made, if anything. */
const lostIntent = (ctx: PaymentContext, attempt: PaymentAttempt) => withinDeadline(findLostIntent(ctx, attempt));

/** The provider's intent for this attempt, whether or not its id was saved. */
async function intentFor(ctx: PaymentContext, attempt: PaymentAttempt): Promise<PaymentIntent> {
  const { orderId, n, amountCents, currency, idempotencyKey, createdAt } = attempt;
  const isKeyForgotten = ctx.now().getTime() - createdAt.getTime() > KEY_HOLDS_MS;
  const lost = isKeyForgotten ? await lostIntent(ctx, attempt) : undefined;
  const found = lost ? await ctx.provider.findIntent(lost) : null;
  const metadata = metadataFor(ctx.shopId, orderId, n);
  return found ?? ctx.provider.createIntent({ amountCents, currency, metadata, idempotencyKey });
}

/** Lets the next request try at once: with a new key when this one has failed for long and left nothing behind. */
async function releaseAttempt(ctx: PaymentContext, attempt: PaymentAttempt): Promise<void> {
  const unsaved = and(stillOpen(attempt), isNull(paymentAttempts.intentId));
  const freed = ctx.now();
  await ctx.db.update(paymentAttempts).set({ leaseUntil: freed }).where(unsaved);
  if (freed.getTime() - attempt.createdAt.getTime() < GIVE_UP_AFTER_MS) return;
  if (await lostIntent(ctx, attempt)) return;
  await ctx.checkpoint('give up attempt');
  // Another request may have taken the attempt over meanwhile, and have an intent that its customer pays.
  const untaken = and(unsaved, eq(paymentAttempts.leaseUntil, freed));
  await ctx.db.update(paymentAttempts).set({ state: 'canceled' }).where(untaken);
}

const SAVE_INTENT_ID = {
  name: 'save intent id',
  text: `
update payment_attempts set intent_id = $3
where order_id = $1 and n = $2 and state = 'open' and (intent_id is null or intent_id = $3)`,
};

async function saveIntentId(
  { db }: PaymentContext,
  { orderId, n }: PaymentAttempt,
  intentId: string,
): Promise<boolean> {
  const { rowCount } = await db.$client.query({ ...SAVE_INTENT_ID, values: [orderId, n, intentId] });
  return rowCount !== 0;
}

/**
 * An intent that came too late is canceled: nobody has its secret.
 * @returns undefined when the order must be looked at again
 */
export async function createIntent(
  ctx: PaymentContext,
  attempt: PaymentAttempt,
  takenOver: boolean,
): Promise<PaymentIntent | undefined> {
  await ctx.checkpoint('create intent');
  let intent: PaymentIntent;
  try {
    intent = await intentFor(ctx, attempt);
  } catch (error) {
    await releaseAttempt(ctx, attempt).catch((cause: unknown) => ctx.log.warn({ err: cause }, 'attempt not let go'));
    throw error;
  }
  await ctx.checkpoint('keep intent');
  if (await saveIntentId(ctx, attempt, intent.id)) return takenOver ? undefined : intent;
  await ctx.provider.cancelIntent(intent.id);
  return undefined;
}

/** @returns the attempt's intent while it can be paid, or undefined when another attempt may begin */
export async function reusableIntent(
  ctx: PaymentContext,
  attempt: PaymentAttempt,
  intentId: string,
): Promise<PaymentIntent | undefined> {
  const found = await ctx.provider.findIntent(intentId);
  const intent = found && (await limitDeclines(ctx, found));
  if (intent && PAYABLE.includes(intent.status)) return intent;
  if (intent?.status === 'succeeded') {
    const { kind } = await settleIntent(ctx, intent);
    throw kind === 'refund due' ? paymentReturned(intentId) : orderPaid();
  }
  if (intent && intent.status !== 'canceled') throw paymentInProgress();
  await closeAttempt(ctx.db, attempt);
  return undefined;
}

/** Ended: no money can come by this attempt any more. */
export type AttemptEnding = 'ended' | 'paid' | 'in progress';

/** Cancels what could still be paid. To be called outside of any transaction. */
export async function cancelAttempt(ctx: PaymentContext, attempt: AttemptRow): Promise<AttemptEnding> {
  if (!attempt.intentId && attempt.leaseUntil > ctx.now()) return 'in progress';
  const id = attempt.intentId ?? (await lostIntent(ctx, attempt));
  const intent = id === undefined ? null : await ctx.provider.cancelIntent(id);
  if (!intent || intent.status === 'canceled') return 'ended';
  if (intent.status !== 'succeeded') return 'in progress';
  await settleIntent(ctx, intent);
  return 'paid';
}

/** Ends an attempt at an old price, so that its intent cannot be paid any more. Then the order is looked at again. */
export async function cancelOutdated(ctx: PaymentContext, attempt: AttemptRow): Promise<void> {
  const ending = await cancelAttempt(ctx, attempt);
  if (ending === 'ended') await closeAttempt(ctx.db, attempt);
  if (ending === 'in progress' && attempt.intentId) throw paymentInProgress();
}
