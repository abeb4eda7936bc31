import { inArray } from 'drizzle-orm';
import type { Db } from '../db/database';
import { payments, refundsDue } from '../db/schema';
import type { Deps } from '../deps';
import type { PaymentIntent, Payments } from './provider';
import { nextTime } from './nextTime';
import { isOurs } from './ours';
import { settleIntent } from './settlePayment';

const LOOK_BACK_MS = 48 * 3_600_000;
const BATCH = 100;

/** Of these payments, those that are written down, as paid or as due back. */
export async function recordedOf(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const paid = await db.select({ id: payments.intentId }).from(payments).where(inArray(payments.intentId, ids));
  const due = await db.select({ id: refundsDue.intentId }).from(refundsDue).where(inArray(refundsDue.intentId, ids));
  return new Set([...paid, ...due].map(({ id }) => id));
}

export async function unrecordedOf(db: Db, intents: PaymentIntent[]): Promise<PaymentIntent[]> {
  const recorded = await recordedOf(
    db,
    intents.map(({ id }) => id),
  );
  return intents.filter(({ id }) => !recorded.has(id));
}

/** Of this shop's intents since then, those that brought money: in batches. */
export async function* succeededSince(
  { db, payments: provider, closing }: { db: Db; payments: Payments; closing?: AbortSignal },
  since: Date,
): AsyncGenerator<PaymentIntent[]> {
  let batch: PaymentIntent[] = [];
  for await (const intent of provider.listIntents(since)) {
    if (closing?.aborted) return;
    if (intent.status === 'succeeded' && (await isOurs(db, intent))) batch.push(intent);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Whatever the provider knows and the shop has never heard of. */
export async function reconcile(deps: Deps): Promise<void> {
  for await (const batch of succeededSince(deps, new Date(deps.now().getTime() - LOOK_BACK_MS))) {
    for (const intent of await unrecordedOf(deps.db, batch))
      await settleIntent(deps, intent).catch(nextTime(deps, intent.id));
  }
}
