import { and, eq, sql } from 'drizzle-orm';
import { MAX_DECLINES } from '../../src/contract/limits';
import { paymentAttempts } from '../db/schema';
import type { PaymentContext } from './context';
import { tooManyDeclines } from './paymentProblems';
import { PAYABLE_STATUSES, type PaymentIntent } from './provider';

const PAUSE_AFTER_DECLINES_MS = 3_600_000;

type Row = typeof paymentAttempts.$inferSelect;

/**
 * Only the last attempt can be paused, because no attempt begins before a pause ends.
 * @throws 429 while payments of this order are paused after too many declined cards
 */
export function refuseAfterDeclines(lastAttempt: Pick<Row, 'refusedUntil'> | null, now: Date): void {
  const until = lastAttempt?.refusedUntil?.getTime() ?? 0;
  const seconds = Math.ceil((until - now.getTime()) / 1000);
  if (seconds > 0) throw tooManyDeclines(seconds);
}

/**
 * Stores the end of the pause, unless one is stored already. The same declines must not make the pause longer.
 * @returns whether the attempt is still open
 */
async function storePause({ db, now }: PaymentContext, intentId: string): Promise<boolean> {
  const until = new Date(now().getTime() + PAUSE_AFTER_DECLINES_MS).toISOString();
  const updated = await db
    .update(paymentAttempts)
    .set({ refusedUntil: sql`coalesce(${paymentAttempts.refusedUntil}, ${until}::timestamptz)` })
    .where(and(eq(paymentAttempts.intentId, intentId), eq(paymentAttempts.state, 'open')))
    .returning({ n: paymentAttempts.n });
  return updated.length > 0;
}

/**
 * Cancels the intent after too many declined cards. Stores the end of the pause first. If the server dies in between,
 * the attempt stays open, and the sweep cancels the intent.
 * @returns the intent in its new state
 */
export async function limitDeclines(ctx: PaymentContext, intent: PaymentIntent): Promise<PaymentIntent> {
  if (!intent.hasCharge || !PAYABLE_STATUSES.includes(intent.status)) return intent;
  if ((await ctx.provider.countDeclines(intent.id)) < MAX_DECLINES) return intent;
  await ctx.checkpoint('pause after declines');
  // Another request or webhook has just ended the attempt, so the intent that the caller read is outdated.
  if (!(await storePause(ctx, intent.id))) return (await ctx.provider.findIntent(intent.id)) ?? intent;
  await ctx.checkpoint('cancel declined intent');
  const canceled = await ctx.provider.cancelIntent(intent.id);
  if (canceled?.status === 'canceled') ctx.log.info({ intentId: intent.id }, 'payment canceled after declined cards');
  return canceled ?? intent;
}
