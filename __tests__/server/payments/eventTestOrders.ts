import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { metadataFor, refundMetadataFor } from '../../../server/payments/provider';
import { CARDS } from '../../support/cards';
import { type EventName, type OrderStateName } from './eventOutcomes';
import { newCharge, newDispute, newId, newRefund } from './reversals';
import type { RefundTestKit } from './refundTestKit';

export interface EventTestOrder {
  state: OrderStateName;
  id: string;
  intentId: string;
  clientSecret: string;
}

const isRefundEvent = (event: EventName) => event.startsWith('refund.') || event === 'charge.refunded';
/** In these states the shop has not recorded a payment of the order. */
const isBeforePayment = (state: OrderStateName) => /^(unpriced|unpaid|deleted)/.test(state);

/** Creates an intent that the shop has not stored, as after a payment attempt that it gave up. */
async function createUnknownIntent({ provider, deps }: RefundTestKit, id: string) {
  const metadata = metadataFor(deps.shopId, id, 1);
  const { id: intentId, clientSecret } = await provider.createIntent({
    ...{ amountCents: 1400, currency: 'usd', metadata },
    idempotencyKey: randomUUID(),
  });
  return { intentId, clientSecret: clientSecret! };
}

async function createOrderBeforePayment(kit: RefundTestKit, state: OrderStateName): Promise<EventTestOrder> {
  const { customer, order, tool, total } = await kit.createUnpaidOrder();
  if (state === 'unpriced') {
    const { body } = await kit.placeOrder(customer, { productName: tool.name, totalQuantity: 1_000 });
    return { state, id: body._id, ...(await createUnknownIntent(kit, body._id)) };
  }
  const id = order._id;
  if (state === 'unpaid, open attempt') {
    const { body, intentId } = await kit.createIntent(customer, id, total);
    return { state, id, clientSecret: body.clientSecret, intentId };
  }
  if (state === 'deleted') await kit.call(customer, 'DELETE', `/order/${id}`);
  return { state, id, ...(await createUnknownIntent(kit, id)) };
}

/** Stores a refund request. With `isSent`, the provider has made the refund, but its response was lost. */
async function storeRefundRequest(
  kit: RefundTestKit,
  { id, intentId }: EventTestOrder,
  isSent: boolean,
): Promise<void> {
  const [row] = await kit.queryRows(sql`
    insert into refunds (payment_id, order_id, amount_cents, currency, reason, requested_by, checked_at)
    values (${intentId}, ${id}, 1400, 'usd', 'broken', ${kit.asAdmin().id}, now() - interval '1 hour') returning id`);
  const refund = { id: row!['id']!, orderId: id, tries: 0 };
  const metadata = refundMetadataFor(kit.deps.shopId, refund);
  const sent = { intentId, amountCents: 1400, metadata, idempotencyKey: `refund-${refund.id}-0` };
  if (isSent) await kit.provider.createRefund(sent);
}

async function createOrderAfterPayment(
  kit: RefundTestKit,
  state: OrderStateName,
  event: EventName,
): Promise<EventTestOrder> {
  const { id, intentId } = await kit.createPaidOrder();
  const subject = { state, id, intentId, clientSecret: '' };
  if (state === 'shipped') await kit.ship(id);
  if (state === 'refunded') await kit.requestRefund(id);
  if (state === 'refund requested') await storeRefundRequest(kit, subject, isRefundEvent(event));
  return subject;
}

/** Changes the provider's data as the event reports it, without notifying the shop. */
async function applyAtProvider(
  kit: RefundTestKit,
  { state, intentId, clientSecret }: EventTestOrder,
  event: EventName,
) {
  if (isBeforePayment(state)) {
    if (event === 'payment_intent.canceled') return void (await kit.stripe.paymentIntents.cancel(intentId));
    await kit.confirm(clientSecret, event === 'payment_intent.payment_failed' ? CARDS.declined : CARDS.pays);
  }
  if (!isRefundEvent(event)) return;
  const isRefunded = state === 'refunded' || state === 'refund requested';
  if (!isRefunded) await kit.stripe.refunds.create({ payment_intent: intentId });
  if (event === 'refund.failed')
    await kit.queryRows(sql`
      update embedded_stripe.refunds set status = 'failed', failure_reason = 'expired_or_canceled_card'
      where intent_id = ${intentId}`);
}

/** Puts an order into the given state, and the provider into the state that the event reports. */
export async function createEventTestOrder(
  kit: RefundTestKit,
  state: OrderStateName,
  event: EventName,
): Promise<EventTestOrder> {
  const subject = await (isBeforePayment(state)
    ? createOrderBeforePayment(kit, state)
    : createOrderAfterPayment(kit, state, event));
  await applyAtProvider(kit, subject, event);
  return subject;
}

let lastCreated = 1_900_000_000;

/** @returns the event as JSON. All events about the dispute of one payment have the same dispute id. */
export function createRawEvent({ intentId }: EventTestOrder, event: EventName): string {
  const [type = '', outcome] = event.split(', ');
  if (type.startsWith('payment_intent.'))
    return JSON.stringify(eventOf(type, { id: intentId, object: 'payment_intent' }));
  if (type === 'charge.refunded') return JSON.stringify(eventOf(type, newCharge(intentId, 1400)));
  if (type.startsWith('refund.')) {
    const status = type === 'refund.failed' ? 'failed' : 'succeeded';
    return JSON.stringify(eventOf(type, newRefund(intentId, { id: `re_${intentId}`, status })));
  }
  const object = newDispute(intentId, outcome ?? 'needs_response', `dp_${intentId}`);
  return JSON.stringify(eventOf(type, object, outcome ? 1 : 0));
}

/**
 * Each event is a second newer than the previous one, except events about a dispute. With `extraSeconds`, the end of a
 * dispute is newer than its creation even if it arrives first.
 */
const eventOf = (type: string, object: object, extraSeconds = 0) => ({
  ...{
    id: newId('evt'),
    object: 'event',
    type,
    created: type.includes('dispute') ? lastCreated + extraSeconds : (lastCreated += 1),
  },
  data: { object },
});
