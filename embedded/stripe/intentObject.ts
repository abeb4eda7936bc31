import type Stripe from 'stripe';
import { okResponse, type SandboxCall } from './call';
import type { sandboxIntents } from './schema';
import type { Charge } from './chargeObject';
import type { ApiKeyKind } from './sandboxKeys';
import { unixSeconds } from './ids';
import type { ErrorBody } from './stripeErrors';

export type IntentRow = Omit<typeof sandboxIntents.$inferSelect, 'version'>;

/** The content of an intent's JSON column `body`. */
export interface IntentDetails {
  canceledAt: number | null;
  lastError: ErrorBody | null;
  nextAction: Stripe.PaymentIntent.NextAction | null;
  /** Newest first. */
  charges: Charge[];
}

/**
 * Without a limit, confirming an intent again and again would make its row ever larger. The limit does not matter to
 * the shop, which reads far fewer charges.
 */
const MAX_CHARGES = 100;

export const prependCharge = (row: IntentRow, charge: Charge) => [charge, ...chargesOf(row)].slice(0, MAX_CHARGES);
export const chargesOf = (row: IntentRow): Charge[] => detailsOf(row).charges;
export const paidChargeOf = (row: IntentRow) => chargesOf(row).find(({ id }) => id === row.chargeId)!;
export const detailsOf = (row: IntentRow) => row.body as IntentDetails;

export function intentObject(row: IntentRow) {
  const details = detailsOf(row);
  return {
    id: row.id,
    object: 'payment_intent',
    amount: row.amount,
    amount_received: row.amountReceived,
    canceled_at: details.canceledAt,
    client_secret: row.clientSecret,
    created: unixSeconds(row.createdAt),
    currency: row.currency,
    last_payment_error: details.lastError,
    latest_charge: row.chargeId,
    livemode: false,
    metadata: row.metadata as Stripe.Metadata,
    next_action: details.nextAction,
    payment_method: row.paymentMethodId,
    payment_method_types: ['card'],
    status: row.status,
  };
}

/** As with Stripe, a caller with only the client secret gets neither the metadata nor what the payment brought. */
export function intentVisibleTo(caller: ApiKeyKind, row: IntentRow) {
  const intent = intentObject(row);
  const { metadata: _, amount_received: __, latest_charge: ___, ...visible } = intent;
  return caller === 'secret' ? intent : visible;
}

export const intentResponse = ({ caller }: SandboxCall, row: IntentRow) => okResponse(intentVisibleTo(caller, row));
