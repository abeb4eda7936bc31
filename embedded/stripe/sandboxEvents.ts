import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import type { ChangeContext } from './call';
import { newId, unixSeconds } from './ids';
import { intentObject, type IntentRow } from './intentObject';

export const API_VERSION = '2026-10-28.endive';

/** @param previous_attributes old values of changed fields */
export const eventObject = (
  call: ChangeContext,
  type: string,
  object: object,
  previous_attributes?: object,
): Stripe.Event =>
  ({
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: unixSeconds(call.now),
    data: { object, ...(previous_attributes && { previous_attributes }) },
    livemode: false,
    type,
  }) as Stripe.Event;

type IntentEvent = 'succeeded' | 'payment_failed' | 'canceled';

export const eventOf = (call: ChangeContext, type: `payment_intent.${IntentEvent}`, row: IntentRow): Stripe.Event =>
  eventObject(call, type, intentObject(row));

export function signatureOf(rawBody: string, secret: string, now: Date): string {
  const time = unixSeconds(now);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${rawBody}`).digest('hex')}`;
}
