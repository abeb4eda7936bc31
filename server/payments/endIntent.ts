import { and, eq } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { paymentAttempts } from '../db/schema';
import type { Bookkeeping } from '../deps';
import { ask } from './ask';
import { isOurs } from './ours';
import { settleIntent } from './settlePayment';

type Attempt = typeof paymentAttempts.$inferSelect;
type Named = Pick<Attempt, 'orderId' | 'n'>;
/** Ended: no money can come by this attempt any more. */
export type Ending = 'ended' | 'paid' | 'going through';

const CLOCKS_DIFFER_MS = 300_000;

export async function openAttempt(db: Db | Tx, orderId: string): Promise<Attempt | undefined> {
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
async function canceled(deps: Bookkeeping, attempt: Attempt) {
  const id = attempt.intentId ?? (await lostIntent(deps, attempt));
  return id === undefined ? null : deps.payments.cancelIntent(id);
}

/** Cancels what could still be paid. To be called outside of any transaction. */
export async function endIntent(deps: Bookkeeping, attempt: Attempt): Promise<Ending> {
  if (!attempt.intentId && attempt.leaseUntil > deps.now()) return 'going through';
  const intent = await ask(() => canceled(deps, attempt));
  if (!intent || intent.status === 'canceled') return 'ended';
  if (intent.status !== 'succeeded') return 'going through';
  await settleIntent(deps, intent);
  return 'paid';
}
