import { and, eq, isNull } from 'drizzle-orm';
import { paymentAttempts } from '../db/schema';
import type { Deps } from '../deps';
import { closeAttempt, endIntent, lostIntent, stillOpen } from './endIntent';
import { orderPaid, paymentInProgress } from '../orders/orderProblems';
import { PAYABLE, type PaymentIntent } from './provider';
import { ask } from './ask';
import type { Attempt } from './attemptDraft';
import { limitDeclines } from './declines';
import { markOf } from './ours';
import { paymentReturned } from './paymentProblems';
import { settleIntent } from './settlePayment';

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
export async function endOutdated(deps: Deps, attempt: typeof paymentAttempts.$inferSelect): Promise<void> {
  const ending = await endIntent(deps, attempt);
  if (ending === 'ended') await closeAttempt(deps.db, attempt);
  if (ending === 'going through' && attempt.intentId) throw paymentInProgress();
}
