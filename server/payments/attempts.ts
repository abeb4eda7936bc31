import { and, eq, isNull } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { CURRENCY } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import { paymentAttempts } from '../db/schema';
import { orderPaid, paymentInProgress } from '../orders/orderProblems';
import { ask } from './ask';
import type { PaymentContext } from './context';
import { limitDeclines } from './declines';
import { paymentReturned } from './paymentProblems';
import { belongsToThisShop, metadataFor, PAYABLE, type PaymentIntent } from './provider';
import { settleIntent } from './settlePayment';

/** Longer than asking the provider can take: who finds it over may take over. */
const LEASE_MS = 30_000;

export type AttemptRow = typeof paymentAttempts.$inferSelect;
export type Attempt = Pick<
  AttemptRow,
  'orderId' | 'n' | 'idempotencyKey' | 'amountCents' | 'currency' | 'leaseUntil' | 'createdAt'
>;

export const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** The key is random: a restored copy of this shop has orders with the same ids, at the same provider. */
export const attemptDraft = (orderId: string, n: number, amountCents: number, now: Date) => ({
  orderId,
  n,
  idempotencyKey: `order:${orderId}:${n}:${randomUUID()}`,
  amountCents,
  currency: CURRENCY,
  leaseUntil: leaseFrom(now),
});

type Named = Pick<Attempt, 'orderId' | 'n'>;
/** Ended: no money can come by this attempt any more. */
export type Ending = 'ended' | 'paid' | 'going through';

const CLOCKS_DIFFER_MS = 300_000;

export async function openAttempt(db: Db | Tx, orderId: string): Promise<AttemptRow | undefined> {
  const [attempt] = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.state, 'open')));
  return attempt;
}

export const stillOpen = ({ orderId, n }: Named) =>
  and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.n, n), eq(paymentAttempts.state, 'open'));

export async function closeAttempt(db: Db | Tx, attempt: Named): Promise<void> {
  await db.update(paymentAttempts).set({ state: 'canceled' }).where(stillOpen(attempt));
}

/** Of an attempt whose server died before it could note the intent: what the provider made for it, if anything. */
export async function lostIntent(
  { provider, shopId }: PaymentContext,
  { orderId, n, createdAt }: Named & Pick<Attempt, 'createdAt'>,
): Promise<string | undefined> {
  const since = new Date(createdAt.getTime() - CLOCKS_DIFFER_MS);
  for await (const intent of provider.listIntents(since)) {
    const { id, metadata } = intent;
    const isNamed = metadata['order_id'] === orderId && metadata['attempt'] === String(n);
    if (isNamed && belongsToThisShop(shopId, intent)) return id;
  }
  return undefined;
}

/** What became of its intent; null: there is none. */
async function canceled(ctx: PaymentContext, attempt: AttemptRow) {
  const id = attempt.intentId ?? (await lostIntent(ctx, attempt));
  return id === undefined ? null : ctx.provider.cancelIntent(id);
}

/** Cancels what could still be paid. To be called outside of any transaction. */
export async function endIntent(ctx: PaymentContext, attempt: AttemptRow): Promise<Ending> {
  if (!attempt.intentId && attempt.leaseUntil > ctx.now()) return 'going through';
  const intent = await ask(() => canceled(ctx, attempt));
  if (!intent || intent.status === 'canceled') return 'ended';
  if (intent.status !== 'succeeded') return 'going through';
  await settleIntent(ctx, intent);
  return 'paid';
}

/** The provider forgets idempotency keys after a day. */
const KEY_HOLDS_MS = 23 * 3_600_000;
/** A failure that the provider remembers with the key would stay: after so long another key is tried. */
const GIVE_UP_AFTER_MS = 60_000;

async function createIntent(ctx: PaymentContext, attempt: Attempt): Promise<PaymentIntent> {
  const { orderId, n, amountCents, currency, idempotencyKey } = attempt;
  const metadata = metadataFor(ctx.shopId, orderId, n);
  return ask(() => ctx.provider.createIntent({ amountCents, currency, metadata, idempotencyKey }));
}

/** What the provider made for this attempt, whether or not anyone here heard of it. */
async function intentFor(ctx: PaymentContext, attempt: Attempt): Promise<PaymentIntent> {
  const forgotten = ctx.now().getTime() - attempt.createdAt.getTime() > KEY_HOLDS_MS;
  const lost = forgotten ? await ask(() => lostIntent(ctx, attempt)) : undefined;
  const found = lost ? await ask(() => ctx.provider.findIntent(lost)) : null;
  return found ?? createIntent(ctx, attempt);
}

/** Lets the next one try at once; with a new key when this one has failed for long and left nothing behind. */
async function letGo(ctx: PaymentContext, attempt: Attempt): Promise<void> {
  const unkept = and(stillOpen(attempt), isNull(paymentAttempts.intentId));
  const freed = ctx.now();
  await ctx.db.update(paymentAttempts).set({ leaseUntil: freed }).where(unkept);
  if (freed.getTime() - attempt.createdAt.getTime() < GIVE_UP_AFTER_MS) return;
  if (await ask(() => lostIntent(ctx, attempt))) return;
  await ctx.checkpoint('give up attempt');
  // Whoever took it over while we looked may have an intent by now, and a customer who pays it.
  const untaken = and(unkept, eq(paymentAttempts.leaseUntil, freed));
  await ctx.db.update(paymentAttempts).set({ state: 'canceled' }).where(untaken);
}

const KEEP = {
  name: 'keep intent',
  text: `
update payment_attempts set intent_id = $3
where order_id = $1 and n = $2 and state = 'open' and (intent_id is null or intent_id = $3)`,
};

async function keep({ db }: PaymentContext, { orderId, n }: Attempt, intentId: string): Promise<boolean> {
  const { rowCount } = await db.$client.query({ ...KEEP, values: [orderId, n, intentId] });
  return rowCount !== 0;
}

/** Undefined: look again, at what it is now. An intent that came too late is cancelled; nobody has its secret. */
export async function makeIntent(
  ctx: PaymentContext,
  attempt: Attempt,
  takenOver: boolean,
): Promise<PaymentIntent | undefined> {
  await ctx.checkpoint('create intent');
  let intent: PaymentIntent;
  try {
    intent = await intentFor(ctx, attempt);
  } catch (error) {
    await letGo(ctx, attempt).catch((trouble: unknown) => ctx.log.warn({ err: trouble }, 'attempt not let go'));
    throw error;
  }
  await ctx.checkpoint('keep intent');
  if (await keep(ctx, attempt, intent.id)) return takenOver ? undefined : intent;
  await ask(() => ctx.provider.cancelIntent(intent.id));
  return undefined;
}

/** The attempt's intent while it can still be paid. Undefined: it cannot be any more, so another attempt may begin. */
export async function lookAt(
  ctx: PaymentContext,
  attempt: Attempt,
  intentId: string,
): Promise<PaymentIntent | undefined> {
  const found = await ask(() => ctx.provider.findIntent(intentId));
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

/** Ends an attempt at an old price, so that its intent cannot be paid any more. Then the order is looked at again. */
export async function endOutdated(ctx: PaymentContext, attempt: AttemptRow): Promise<void> {
  const ending = await endIntent(ctx, attempt);
  if (ending === 'ended') await closeAttempt(ctx.db, attempt);
  if (ending === 'going through' && attempt.intentId) throw paymentInProgress();
}
