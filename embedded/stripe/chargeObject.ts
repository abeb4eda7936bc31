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
export const buildCharge = (id: string, { row, method, now }: ChargeInput, failure: ErrorBody | null = null) => ({
  id,
  object: 'charge' as const,
  amount: row.amount,
  amount_captured: failure ? 0 : row.amount,
  captured: !failure,
  created: unixSeconds(now),
  currency: row.currency,
  failure_code: failure?.code ?? null,
  failure_message: failure?.message ?? null,
  livemode: false,
  metadata: row.metadata as Stripe.Metadata,
  paid: !failure,
  payment_intent: row.id,
  payment_method: method.id,
  status: failure ? ('failed' as const) : ('succeeded' as const),
});

export type Charge = ReturnType<typeof buildCharge>;
