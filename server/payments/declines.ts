import { and, eq, sql } from 'drizzle-orm';
import { MAX_DECLINES } from '../../src/contract/limits';
import { paymentAttempts } from '../db/schema';
import type { PaymentContext } from './context';
import { tooManyDeclines } from './paymentProblems';
import { PAYABLE, type PaymentIntent } from './provider';

const PAUSE_MS = 3_600_000;

type Row = typeof paymentAttempts.$inferSelect;

/** No new attempt begins while an earlier one of the order keeps the customer waiting. */
export function refuseAfterDeclines(attempts: Pick<Row, 'refusedUntil'>[], now: Date): void {
  const until = Math.max(...attempts.map(({ refusedUntil }) => refusedUntil?.getTime() ?? 0));
  const seconds = Math.ceil((until - now.getTime()) / 1000);
  if (seconds > 0) throw tooManyDeclines(seconds);
}

/** The first note counts: counting the same declines again does not prolong the pause. */
async function noteRefusal({ db, now }: PaymentContext, intentId: string): Promise<boolean> {
  const until = new Date(now().getTime() + PAUSE_MS).toISOString();
  const noted = await db
    .update(paymentAttempts)
    .set({ refusedUntil: sql`coalesce(${paymentAttempts.refusedUntil}, ${until}::timestamptz)` })
    .where(and(eq(paymentAttempts.intentId, intentId), eq(paymentAttempts.state, 'open')))
    .returning({ n: paymentAttempts.n });
  return noted.length > 0;
}

/**
 * Cancels the intent when too many cards were declined for it. The pause is stored before the intent is canceled: a
 * server that dies in between leaves an open attempt, which the sweep cancels.
 * @returns the intent as it is then
 */
export async function limitDeclines(ctx: PaymentContext, intent: PaymentIntent): Promise<PaymentIntent> {
  if (!intent.hasCharge || !PAYABLE.includes(intent.status)) return intent;
  if ((await ctx.provider.countDeclines(intent.id)) < MAX_DECLINES) return intent;
  if (!(await noteRefusal(ctx, intent.id))) return intent;
  await ctx.checkpoint('cancel declined intent');
  const ended = await ctx.provider.cancelIntent(intent.id);
  if (ended?.status === 'canceled') ctx.log.info({ intentId: intent.id }, 'payment canceled after declined cards');
  return ended ?? intent;
}
