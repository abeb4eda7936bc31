import type Stripe from 'stripe';
import type { ChangeContext } from './call';
import { eventObject } from './sandboxEvents';

export const refundedEvents = (context: ChangeContext, refund: object, charge: object): Stripe.Event[] => [
  eventObject(context, 'refund.created', refund),
  eventObject(context, 'charge.refunded', charge),
];

export function refundUpdatedEvents(context: ChangeContext, before: { status: string }, refund: { status: string }) {
  const types = ['refund.updated', 'charge.refund.updated'];
  if (refund.status === 'failed') types.unshift('refund.failed');
  return types.map((type) => eventObject(context, type, refund, { status: before.status }));
}

export const disputeOpenedEvents = (context: ChangeContext, dispute: object): Stripe.Event[] =>
  ['charge.dispute.created', 'charge.dispute.funds_withdrawn'].map((type) => eventObject(context, type, dispute));

export function disputeEndedEvents(context: ChangeContext, dispute: { status: string }): Stripe.Event[] {
  const types = ['charge.dispute.closed'];
  if (dispute.status === 'won') types.unshift('charge.dispute.funds_reinstated');
  return types.map((type) => eventObject(context, type, dispute));
}
