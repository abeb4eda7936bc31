import { randomUUID } from 'node:crypto';

export const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** This function and the two below build objects of Stripe's events about refunds and disputes of a $14 payment. */
export const newRefund = (intentId: string | object | null, more = {}) => ({
  id: newId('re'),
  object: 'refund',
  amount: 1400,
  charge: 'ch_1',
  currency: 'usd',
  payment_intent: intentId,
  reason: null,
  status: 'succeeded',
  ...more,
});
export const newDispute = (intentId: string, status: string, id = newId('dp')) => ({
  id,
  object: 'dispute',
  amount: 1400,
  charge: 'ch_1',
  payment_intent: intentId,
  reason: 'fraudulent',
  status,
});
export const newCharge = (intentId: string, amount_refunded: number, more = {}) => ({
  id: `ch_${intentId}`,
  object: 'charge',
  amount: 1400,
  amount_refunded,
  payment_intent: intentId,
  refunded: amount_refunded === 1400,
  status: 'succeeded',
  ...more,
});
