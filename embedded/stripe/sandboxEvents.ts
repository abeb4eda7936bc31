import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import type { SandboxCall } from './call';
import { newId, seconds } from './ids';
import { intentObject, type IntentRow } from './intentObject';

export const API_VERSION = '2026-10-28.endive';

type IntentEvent =
  | 'payment_intent.created'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'payment_intent.canceled'
  | 'payment_intent.requires_action';

type EventSubject =
  | { type: IntentEvent; data: { object: Stripe.PaymentIntent } }
  | { type: 'charge.succeeded'; data: { object: Stripe.Charge } };

function eventObject(call: SandboxCall, subject: EventSubject) {
  return {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: seconds(call.now),
    livemode: false,
    pending_webhooks: 1,
    request: { id: call.requestId, idempotency_key: call.key?.given ?? null },
    ...subject,
  } satisfies Stripe.Event;
}

const intentSubject = (type: IntentEvent, row: IntentRow) => ({ type, data: { object: intentObject(row) } });

export const eventOf = (call: SandboxCall, type: IntentEvent, row: IntentRow): Stripe.Event =>
  eventObject(call, intentSubject(type, row));

export const paidEvents = (call: SandboxCall, row: IntentRow, charge: Stripe.Charge): Stripe.Event[] => [
  eventObject(call, { type: 'charge.succeeded', data: { object: charge } }),
  eventOf(call, 'payment_intent.succeeded', row),
];

export function signatureOf(rawBody: string, secret: string, now: Date): string {
  const time = seconds(now);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${rawBody}`).digest('hex')}`;
}
