import { providerEvents } from '../db/schema';
import type { PaymentContext } from './context';
import type { PaymentEvent, Reversal } from './provider';
import { updateDispute } from './disputes';
import { readAndRecordRefunds } from './recordRefund';
import { findRecordedIntentIds } from './recordPayment';
import { recordReversal, REVERSAL_EVENTS } from './reversals';
import { settle } from './settlePayment';

/** The content of these events is not used. They only cause the shop to read the intent at the provider. */
const INTENT_EVENTS = ['payment_intent.succeeded', 'payment_intent.canceled', 'payment_intent.payment_failed'];
export const HANDLED_EVENT_TYPES = [...INTENT_EVENTS, ...REVERSAL_EVENTS];

/**
 * Recognizes an event that needs no work. Either it was stored before, or its payment is recorded as paid, which never
 * changes.
 */
const IS_HANDLED = {
  name: 'is event handled',
  text: `select from provider_events where id = $1 union all
    select from payments where intent_id = $2 and outcome = 'paid'`,
};

async function isHandled({ db }: PaymentContext, id: string, intentId: string): Promise<boolean> {
  const { rowCount } = await db.$client.query({ ...IS_HANDLED, values: [id, intentId] });
  return rowCount !== 0;
}

/** A refund's or dispute's event can arrive before that of its payment, so the payment is settled first. */
async function settleUnrecorded(ctx: PaymentContext, intentIds: string[]): Promise<void> {
  const recorded = await findRecordedIntentIds(ctx.db, intentIds);
  for (const intentId of intentIds) if (!recorded.has(intentId)) await settle(ctx, intentId);
}

const intentIdsOf = ({ reversals }: PaymentEvent, kinds: Reversal['kind'][]) => [
  ...new Set(reversals.filter(({ kind }) => kinds.includes(kind)).map(({ intentId }) => intentId)),
];

/** Reads the refunds at the provider, because an event that arrives late contains an old state. */
async function handleReversals(ctx: PaymentContext, event: PaymentEvent): Promise<void> {
  await settleUnrecorded(ctx, intentIdsOf(event, ['refund', 'dispute']));
  for (const reversal of event.reversals) await recordReversal(ctx, reversal, event.createdAt);
  for (const intentId of intentIdsOf(event, ['refund'])) await readAndRecordRefunds(ctx, intentId);
  for (const intentId of intentIdsOf(event, ['dispute'])) await updateDispute(ctx, intentId);
}

/**
 * Stores the id of an intent's event only after the event has taken effect. If something fails before that, the webhook
 * answers with an error, and the provider sends the event again. Events about refunds and disputes may be handled
 * twice.
 */
export async function handleWebhookEvent(ctx: PaymentContext, event: PaymentEvent): Promise<void> {
  const { id, type, intentId } = event;
  if (REVERSAL_EVENTS.includes(type)) return handleReversals(ctx, event);
  if (!intentId || !INTENT_EVENTS.includes(type) || (await isHandled(ctx, id, intentId))) return;
  await settle(ctx, intentId);
  await ctx.db.insert(providerEvents).values({ id, type }).onConflictDoNothing();
}
