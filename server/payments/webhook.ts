import { lt } from 'drizzle-orm';
import { providerEvents } from '../db/schema';
import type { PaymentContext } from './context';
import type { PaymentEvent } from './provider';
import { recordReversals, REVERSAL_EVENTS } from './reversals';
import { settle } from './settlePayment';

const KEPT_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** An event that may have changed an intent is not believed: the intent is read again. */
const INTENT_EVENTS = ['payment_intent.succeeded', 'payment_intent.canceled', 'payment_intent.payment_failed'];
export const HANDLED_EVENT_TYPES = [...INTENT_EVENTS, ...REVERSAL_EVENTS];

/** Heard of before, or of a payment that is written down already: what is paid stays paid. */
const IS_OVER = {
  name: 'event is over',
  text: `select from provider_events where id = $1 union all 
    select from payments where intent_id = $2 and outcome = 'paid'`,
};

async function isOver({ db }: PaymentContext, id: string, intentId: string): Promise<boolean> {
  const { rowCount } = await db.$client.query({ ...IS_OVER, values: [id, intentId] });
  return rowCount !== 0;
}

/** Remembered only once it has had its effect: whatever fails before is sent again. */
export async function handleWebhookEvent(ctx: PaymentContext, event: PaymentEvent): Promise<void> {
  const { id, type, intentId } = event;
  if (REVERSAL_EVENTS.includes(type)) return recordReversals(ctx, event);
  if (!intentId || !INTENT_EVENTS.includes(type) || (await isOver(ctx, id, intentId))) return;
  await settle(ctx, intentId);
  await ctx.db.insert(providerEvents).values({ id, type }).onConflictDoNothing();
}

export async function forgetOldEvents({ db, now }: PaymentContext): Promise<void> {
  await db.delete(providerEvents).where(lt(providerEvents.createdAt, new Date(now().getTime() - KEPT_DAYS * DAY_MS)));
}
