import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { orders, paymentAttempts } from '../db/schema';
import type { PaymentContext } from './context';
import { isPriceKept, notPayable } from './payability';
import { belongsToThisShop, PaymentProviderDown, type PaymentIntent } from './provider';
import { recordedOf } from './recordPayment';
import { closeCanceled, settle, settleIntent } from './settlePayment';

/** One payment in trouble keeps no other of the round from being settled; a provider that is away ends the round. */
const logAndRetryNextSweep =
  ({ log }: Pick<PaymentContext, 'log'>, intentId: string) =>
  (error: unknown): void => {
    if (error instanceof PaymentProviderDown) throw error;
    log.warn({ err: error, intentId }, 'a payment could not be settled, and will be at the next sweep');
  };

/** What one round asks the provider for at most; who was asked for longest ago comes first. */
const ASKED_AT_MOST = 200;
const AT_ONCE = 5;

interface Open {
  intentId: string;
  /** Its order takes money, at the price of the attempt. */
  isPayable: boolean;
}

/** Marks them as asked for in the statement that chooses them. */
async function chooseOpen({ db, now }: PaymentContext): Promise<Open[]> {
  const reason = notPayable(sql`a.amount_cents`, sql`a.currency`);
  const isAtCurrentPrice = sql`(${isPriceKept(now())} or o.unit_price = (select price from tools t where t.id = o.tool_id))`;
  const { rows } = await db.execute<{ intentId: string; isPayable: boolean }>(sql`
    with due as (
      select order_id, n from ${paymentAttempts} where state = 'open' and intent_id is not null
      order by checked_at nulls first limit ${ASKED_AT_MOST}
    )
    update ${paymentAttempts} a set checked_at = ${now().toISOString()}::timestamptz
    from due, ${orders} o where a.order_id = due.order_id and a.n = due.n and o.id = a.order_id
    returning a.intent_id as "intentId", coalesce(${reason}, 'stock') = 'stock' and ${isAtCurrentPrice} as "isPayable"`);
  return rows;
}

/** The intent of an order that takes no money any more, or none at this price, is canceled. */
async function check(ctx: PaymentContext, { intentId, isPayable }: Open): Promise<void> {
  if (isPayable) return void (await settle(ctx, intentId));
  const intent = await ctx.provider.cancelIntent(intentId);
  if (intent) await settleIntent(ctx, intent);
  else await closeCanceled(ctx, intentId);
}

/** The first one alone: a provider that was away is believed to be back only when one call has come through. */
export async function checkOpenAttempts(ctx: PaymentContext): Promise<void> {
  const open = await chooseOpen(ctx);
  for (let at = 0, many = 1; at < open.length && !ctx.closing.aborted; at += many, many = AT_ONCE) {
    await Promise.all(
      open.slice(at, at + many).map((one) => check(ctx, one).catch(logAndRetryNextSweep(ctx, one.intentId))),
    );
  }
}

const LOOK_BACK_MS = 48 * 3_600_000;
const BATCH = 100;

export async function unrecordedOf(db: Db, intents: PaymentIntent[]): Promise<PaymentIntent[]> {
  const recorded = await recordedOf(
    db,
    intents.map(({ id }) => id),
  );
  return intents.filter(({ id }) => !recorded.has(id));
}

/** Of this shop's intents since then, those that brought money: in batches. */
export async function* succeededSince(
  { provider, shopId, closing }: Pick<PaymentContext, 'provider' | 'shopId'> & { closing?: AbortSignal },
  since: Date,
): AsyncGenerator<PaymentIntent[]> {
  let batch: PaymentIntent[] = [];
  for await (const intent of provider.listIntents(since)) {
    if (closing?.aborted) return;
    if (intent.status === 'succeeded' && belongsToThisShop(shopId, intent)) batch.push(intent);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Whatever the provider knows and the shop has never heard of. */
export async function reconcile(ctx: PaymentContext): Promise<void> {
  for await (const batch of succeededSince(ctx, new Date(ctx.now().getTime() - LOOK_BACK_MS))) {
    for (const intent of await unrecordedOf(ctx.db, batch))
      await settleIntent(ctx, intent).catch(logAndRetryNextSweep(ctx, intent.id));
  }
}
