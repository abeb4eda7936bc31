import type Stripe from 'stripe';
import type { IntentRow } from './intentObject';
import { unixSeconds } from './ids';
import type { ErrorBody } from './stripeErrors';

export interface ChargeInput {
  row: IntentRow;
  method: Stripe.PaymentMethod;
  now: Date;
}

/** A charge with those of Stripe's fields that say what happened to the money. */
export type Charge = ReturnType<typeof chargeObject>;

const buildCharge = (id: string, { row, method, now }: ChargeInput, failure: ErrorBody | null) => ({
  id,
  object: 'charge' as const,
  amount: row.amount,
  amount_captured: failure ? 0 : row.amount,
  amount_refunded: 0,
  captured: !failure,
  created: unixSeconds(now),
  currency: row.currency,
  disputed: false,
  failure_code: failure?.code ?? null,
  failure_message: failure?.message ?? null,
  livemode: false,
  metadata: row.metadata as Stripe.Metadata,
  paid: !failure,
  payment_intent: row.id,
  payment_method: method.id,
  refunded: false,
  status: failure ? ('failed' as const) : ('succeeded' as const),
});

export const chargeObject = (id: string, input: ChargeInput) => buildCharge(id, input, null);
export const failedChargeObject = (id: string, input: ChargeInput, failure: ErrorBody): Charge =>
  buildCharge(id, input, failure);
