import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import type { ChangeContext } from './call';
import { newId, unixSeconds } from './ids';
import { intentObject, type IntentRow } from './intentObject';

export const API_VERSION = '2026-10-28.endive';

type IntentEventType =
  | 'payment_intent.created'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'payment_intent.canceled'
  | 'payment_intent.requires_action';

interface EventData<T> {
  object: T;
  previous_attributes?: Partial<T>;
}

export type DisputeEventType =
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.dispute.closed'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.dispute.funds_reinstated';

type EventSubject =
  | { type: IntentEventType; data: { object: Stripe.PaymentIntent } }
  | { type: 'charge.succeeded' | 'charge.refunded'; data: EventData<Stripe.Charge> }
  | {
      type: 'refund.created' | 'refund.updated' | 'refund.failed' | 'charge.refund.updated';
      data: EventData<Stripe.Refund>;
    }
  | { type: DisputeEventType; data: EventData<Stripe.Dispute> };

export function eventObject(call: ChangeContext, subject: EventSubject): Stripe.Event {
  return {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: unixSeconds(call.now),
    livemode: false,
    pending_webhooks: 1,
    request: { id: call.requestId, idempotency_key: call.idempotencyKey?.sentKey ?? null },
    ...subject,
  } satisfies Stripe.Event;
}

const intentSubject = (type: IntentEventType, row: IntentRow) => ({ type, data: { object: intentObject(row) } });

export const eventOf = (call: ChangeContext, type: IntentEventType, row: IntentRow): Stripe.Event =>
  eventObject(call, intentSubject(type, row));

export const paidEvents = (
  call: ChangeContext,
  row: IntentRow,
  charge: Stripe.Charge,
  disputeEvents: Stripe.Event[] = [],
): Stripe.Event[] => [
  eventObject(call, { type: 'charge.succeeded', data: { object: charge } }),
  ...disputeEvents,
  eventOf(call, 'payment_intent.succeeded', row),
];

export function signatureOf(rawBody: string, secret: string, now: Date): string {
  const time = unixSeconds(now);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${rawBody}`).digest('hex')}`;
}
