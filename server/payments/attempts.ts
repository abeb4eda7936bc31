import { and, eq, isNull } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { CURRENCY } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import { paymentAttempts } from '../db/schema';
import type { Bookkeeping, Deps } from '../deps';
import { orderPaid, paymentInProgress } from '../orders/orderProblems';
import { ask } from './ask';
import { limitDeclines } from './declines';
import { paymentReturned } from './paymentProblems';
import { isOurs, markOf, PAYABLE, type PaymentIntent } from './provider';
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
  { db, payments }: Bookkeeping,
  { orderId, n, createdAt }: Named & Pick<Attempt, 'createdAt'>,
): Promise<string | undefined> {
  const since = new Date(createdAt.getTime() - CLOCKS_DIFFER_MS);
  for await (const intent of payments.listIntents(since)) {
    const { id, metadata } = intent;
    const isNamed = metadata['order_id'] === orderId && metadata['attempt'] === String(n);
    if (isNamed && (await isOurs(db, intent))) return id;
  }
  return undefined;
}

/** What became of its intent; null: there is none. */
async function canceled(deps: Bookkeeping, attempt: AttemptRow) {
  const id = attempt.intentId ?? (await lostIntent(deps, attempt));
  return id === undefined ? null : deps.payments.cancelIntent(id);
}

/** Cancels what could still be paid. To be called outside of any transaction. */
export async function endIntent(deps: Bookkeeping, attempt: AttemptRow): Promise<Ending> {
  if (!attempt.intentId && attempt.leaseUntil > deps.now()) return 'going through';
  const intent = await ask(() => canceled(deps, attempt));
  if (!intent || intent.status === 'canceled') return 'ended';
  if (intent.status !== 'succeeded') return 'going through';
  await settleIntent(deps, intent);
  return 'paid';
}

/** The provider forgets idempotency keys after a day. */
const KEY_HOLDS_MS = 23 * 3_600_000;
/** A failure that the provider remembers with the key would stay: after so long another key is tried. */
const GIVE_UP_AFTER_MS = 60_000;

async function createIntent(deps: Deps, attempt: Attempt): Promise<PaymentIntent> {
  const { orderId, n, amountCents, currency, idempotencyKey } = attempt;
  const metadata = await markOf(deps.db, orderId, n);
  return ask(() => deps.payments.createIntent({ amountCents, currency, metadata, idempotencyKey }));
}

/** What the provider made for this attempt, whether or not anyone here heard of it. */
async function intentFor(deps: Deps, attempt: Attempt): Promise<PaymentIntent> {
  const forgotten = deps.now().getTime() - attempt.createdAt.getTime() > KEY_HOLDS_MS;
  const lost = forgotten ? await ask(() => lostIntent(deps, attempt)) : undefined;
  const found = lost ? await ask(() => deps.payments.findIntent(lost)) : null;
  return found ?? createIntent(deps, attempt);
}

/** Lets the next one try at once; with a new key when this one has failed for long and left nothing behind. */
async function letGo(deps: Deps, attempt: Attempt): Promise<void> {
  const unkept = and(stillOpen(attempt), isNull(paymentAttempts.intentId));
  const freed = deps.now();
  await deps.db.update(paymentAttempts).set({ leaseUntil: freed }).where(unkept);
  if (freed.getTime() - attempt.createdAt.getTime() < GIVE_UP_AFTER_MS) return;
  if (await ask(() => lostIntent(deps, attempt))) return;
  await deps.before('give up attempt');
  // Whoever took it over while we looked may have an intent by now, and a customer who pays it.
  const untaken = and(unkept, eq(paymentAttempts.leaseUntil, freed));
  await deps.db.update(paymentAttempts).set({ state: 'canceled' }).where(untaken);
}

const KEEP = {
  name: 'keep intent',
  text: `
update payment_attempts set intent_id = $3
where order_id = $1 and n = $2 and state = 'open' and (intent_id is null or intent_id = $3)`,
};

async function keep({ db }: Deps, { orderId, n }: Attempt, intentId: string): Promise<boolean> {
  const { rowCount } = await db.$client.query({ ...KEEP, values: [orderId, n, intentId] });
  return rowCount !== 0;
}

/** Undefined: look again, at what it is now. An intent that came too late is cancelled; nobody has its secret. */
export async function makeIntent(deps: Deps, attempt: Attempt, takenOver: boolean): Promise<PaymentIntent | undefined> {
  await deps.before('create intent');
  let intent: PaymentIntent;
  try {
    intent = await intentFor(deps, attempt);
  } catch (error) {
    await letGo(deps, attempt).catch((trouble: unknown) => deps.log.warn({ err: trouble }, 'attempt not let go'));
    throw error;
  }
  await deps.before('keep intent');
  if (await keep(deps, attempt, intent.id)) return takenOver ? undefined : intent;
  await ask(() => deps.payments.cancelIntent(intent.id));
  return undefined;
}

/** The attempt's intent while it can still be paid. Undefined: it cannot be any more, so another attempt may begin. */
export async function lookAt(deps: Deps, attempt: Attempt, intentId: string): Promise<PaymentIntent | undefined> {
  const found = await ask(() => deps.payments.findIntent(intentId));
  const intent = found && (await limitDeclines(deps, found));
  if (intent && PAYABLE.includes(intent.status)) return intent;
  if (intent?.status === 'succeeded') {
    const { kind } = await settleIntent(deps, intent);
    throw kind === 'due back' ? paymentReturned(intentId) : orderPaid();
  }
  if (intent && intent.status !== 'canceled') throw paymentInProgress();
  await closeAttempt(deps.db, attempt);
  return undefined;
}

/** Ends an attempt at an old price, so that its intent cannot be paid any more. Then the order is looked at again. */
export async function endOutdated(deps: Deps, attempt: AttemptRow): Promise<void> {
  const ending = await endIntent(deps, attempt);
  if (ending === 'ended') await closeAttempt(deps.db, attempt);
  if (ending === 'going through' && attempt.intentId) throw paymentInProgress();
}
