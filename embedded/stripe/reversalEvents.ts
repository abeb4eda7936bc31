import type Stripe from 'stripe';
import type { ChangeContext } from './call';
import { eventObject, type DisputeEventType } from './sandboxEvents';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns the old values of changed fields, which Stripe's events have as `previous_attributes` */
export function previousAttributes<T extends object>(before: T, after: T): Partial<T> {
  const old = before as Record<string, unknown>;
  const changed = Object.entries(after)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]))
    .map(([name, value]): [string, unknown] => {
      const oldValue = old[name] ?? null;
      return [name, isRecord(oldValue) && isRecord(value) ? previousAttributes(oldValue, value) : oldValue];
    });
  return Object.fromEntries(changed) as Partial<T>;
}

export const refundedEvents = (
  context: ChangeContext,
  refund: Stripe.Refund,
  before: Stripe.Charge,
  charge: Stripe.Charge,
): Stripe.Event[] => [
  eventObject(context, { type: 'refund.created', data: { object: refund } }),
  eventObject(context, {
    type: 'charge.refunded',
    data: { object: charge, previous_attributes: previousAttributes(before, charge) },
  }),
];

export function refundUpdatedEvents(context: ChangeContext, before: Stripe.Refund, refund: Stripe.Refund) {
  const data = { object: refund, previous_attributes: previousAttributes(before, refund) };
  const failed = refund.status === 'failed' ? [eventObject(context, { type: 'refund.failed', data })] : [];
  return [
    ...failed,
    eventObject(context, { type: 'refund.updated', data }),
    eventObject(context, { type: 'charge.refund.updated', data }),
  ];
}

/** @param before the dispute before the change. A new dispute has none. */
export function disputeEvents(
  context: ChangeContext,
  types: DisputeEventType[],
  dispute: Stripe.Dispute,
  before: Stripe.Dispute = dispute,
): Stripe.Event[] {
  const previous = previousAttributes(before, dispute);
  const isChange = Object.keys(previous).length > 0;
  const data = { object: dispute, ...(isChange && { previous_attributes: previous }) };
  return types.map((type) => eventObject(context, { type, data }));
}
