import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { paymentAttempts } from '../db/schema';
import { addMs, HOUR_MS } from '../db/time';
import { orderNotFound } from '../http/problems';
import { mayHappen } from '../orders/mayHappen';
import { paymentInProgress } from '../orders/orderProblems';
import { factsOf, readOrder } from '../orders/orderTransaction';
import type { PaymentContext } from './context';
import { readCurrentPrice } from './currentPrice';
import { belongsToThisShop, PaymentProviderDown, type PaymentIntent } from './provider';
import { findRecordedIntentIds } from './recordPayment';
import { cancelAndSettle, settle, settleIntent } from './settlePayment';

/**
 * If the provider is down, rethrows the error, which ends the step. Any other error concerns only this payment, so the
 * step continues with the next one.
 */
export const logUnlessProviderDown =
  ({ log }: Pick<PaymentContext, 'log'>, intentId: string, message = 'could not settle payment') =>
  (error: unknown): void => {
    if (error instanceof PaymentProviderDown) throw error;
    log.warn({ err: error, intentId }, message);
  };

/** A sweep checks at most this many intents: those that were not checked for the longest time. */
const MAX_INTENTS_PER_SWEEP = 200;
const CONCURRENCY = 5;

type OpenIntent = Record<'orderId' | 'intentId', string>;

/** Chooses the intents that this sweep checks, and sets their `checked_at` in the same statement. */
async function chooseOpenIntents({ db, now }: PaymentContext): Promise<OpenIntent[]> {
  const { rows } = await db.execute<OpenIntent>(sql`
    with chosen as (
      select order_id, n from ${paymentAttempts} where state = 'open' and intent_id is not null
      order by checked_at nulls first limit ${MAX_INTENTS_PER_SWEEP}
    )
    update ${paymentAttempts} a set checked_at = ${now().toISOString()}::timestamptz
    from chosen where a.order_id = chosen.order_id and a.n = chosen.n
    returning a.order_id as "orderId", a.intent_id as "intentId"`);
  return rows;
}

/** @returns false if the order has been paid or deleted meanwhile, or if its price no longer applies */
async function canStillPay({ db, now }: PaymentContext, { orderId }: OpenIntent): Promise<boolean> {
  const found = await readOrder(db, orderId);
  const refusal = found ? mayHappen(factsOf(found, now())).pay : orderNotFound;
  if (refusal && refusal !== paymentInProgress) return false;
  return (await readCurrentPrice(db, found!.order, now())) === found!.order.unitPrice;
}

/** Settles the intent. First cancels an intent that can no longer pay for its order. */
async function checkOpenIntent(ctx: PaymentContext, open: OpenIntent): Promise<void> {
  await ((await canStillPay(ctx, open)) ? settle : cancelAndSettle)(ctx, open.intentId);
}

/** Checks the first intent alone, so that during an outage of the provider only one call is made. */
export async function checkOpenAttempts(ctx: PaymentContext): Promise<void> {
  const open = await chooseOpenIntents(ctx);
  for (let start = 0, count = 1; start < open.length && !ctx.closing.aborted; start += count, count = CONCURRENCY) {
    await Promise.all(
      open
        .slice(start, start + count)
        .map((intent) => checkOpenIntent(ctx, intent).catch(logUnlessProviderDown(ctx, intent.intentId))),
    );
  }
}

const LOOK_BACK_MS = 48 * HOUR_MS;
const BATCH_SIZE = 100;

export async function filterUnrecorded(db: Db, intents: PaymentIntent[]): Promise<PaymentIntent[]> {
  const recorded = await findRecordedIntentIds(
    db,
    intents.map(({ id }) => id),
  );
  return intents.filter(({ id }) => !recorded.has(id));
}

/** Yields what is listed in batches, and nothing anymore once the server is closing. */
export async function* inBatches<T>(listed: AsyncIterable<T>, closing?: AbortSignal): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const one of listed) {
    if (closing?.aborted) return;
    batch.push(one);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Yields, in batches, this shop's intents that succeeded and were created at or after `since`. */
export async function* listSucceededSince(
  { provider, shopId, closing }: Pick<PaymentContext, 'provider' | 'shopId'> & { closing?: AbortSignal },
  since: Date,
): AsyncGenerator<PaymentIntent[]> {
  for await (const batch of inBatches(provider.listIntents(since), closing))
    yield batch.filter((intent) => intent.status === 'succeeded' && belongsToThisShop(shopId, intent));
}

/** Settles payments that have succeeded at the provider and are not recorded here. */
export async function recordMissedPayments(ctx: PaymentContext): Promise<void> {
  for await (const batch of listSucceededSince(ctx, addMs(ctx.now(), -LOOK_BACK_MS))) {
    for (const intent of await filterUnrecorded(ctx.db, batch))
      await settleIntent(ctx, intent).catch(logUnlessProviderDown(ctx, intent.id));
  }
}
