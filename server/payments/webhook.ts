import { sql } from 'drizzle-orm';
import { providerEvents } from '../db/schema';
import type { PaymentContext } from './context';
import type { PaymentEvent } from './provider';
import { recordDispute } from './disputes';
import { readAndRecordRefunds } from './recordRefund';
import { findRecordedIntentIds } from './recordPayment';
import { settle } from './settlePayment';

/** The content of these events is not used. They only cause the shop to read the intent at the provider. */
const INTENT_EVENTS = ['payment_intent.succeeded', 'payment_intent.canceled', 'payment_intent.payment_failed'];
const REFUND_AND_DISPUTE_EVENTS = [
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

/**
 * Recognizes an event that needs no work. Either it was stored before, or its payment is recorded as paid, which never
 * changes.
 */
async function isHandled({ db }: PaymentContext, id: string, intentId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`select from provider_events where id = ${id}
    union all select from payments where intent_id = ${intentId} and outcome = 'paid'`);
  return rowCount !== 0;
}

/**
 * Reads the refunds at the provider, because an event that arrives late contains an old state. A refund's or dispute's
 * event can arrive before that of its payment, so the payment is settled first.
 */
async function handleRefundOrDispute(ctx: PaymentContext, intentId: string, event: PaymentEvent): Promise<void> {
  const recorded = await findRecordedIntentIds(ctx.db, [intentId]);
  if (!recorded.has(intentId)) await settle(ctx, intentId);
  if (!event.dispute) return readAndRecordRefunds(ctx, intentId);
  await recordDispute(ctx, event.dispute, event.createdAt);
}

/**
 * Stores the id of an intent's event only after the event has taken effect. If something fails before that, the webhook
 * answers with an error, and the provider sends the event again. Events about refunds and disputes may be handled
 * twice.
 */
export async function handleWebhookEvent(ctx: PaymentContext, event: PaymentEvent): Promise<void> {
  const { id, type, intentId } = event;
  if (!intentId) return;
  if (REFUND_AND_DISPUTE_EVENTS.includes(type)) return handleRefundOrDispute(ctx, intentId, event);
  if (!INTENT_EVENTS.includes(type) || (await isHandled(ctx, id, intentId))) return;
  await settle(ctx, intentId);
  await ctx.db.insert(providerEvents).values({ id, type }).onConflictDoNothing();
}
