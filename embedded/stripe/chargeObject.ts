import type Stripe from 'stripe';
import type { IntentRow } from './intentObject';
import { newId, unixSeconds } from './ids';
import type { ErrorBody } from './stripeErrors';

type CvcCheck = 'pass' | 'fail';

function buildCardDetails(
  card: Stripe.PaymentMethod.Card,
  amount: number,
  cvc_check: CvcCheck,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: amount,
    authorization_code: null,
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check },
    country: card.country,
    electronic_commerce_indicator: null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    extended_authorization: { status: 'disabled' },
    fingerprint: card.fingerprint ?? null,
    funding: card.funding,
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card.last4,
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: null,
    overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}

const NULL_FIELDS = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  customer: null,
  failure_balance_transaction: null,
  on_behalf_of: null,
  receipt_number: null,
  receipt_url: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.Charge>;

const APPROVED: Stripe.Charge.Outcome = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  risk_level: 'normal',
  seller_message: 'Payment complete.',
  type: 'authorized',
};

const DECLINED: Omit<Stripe.Charge.Outcome, 'reason'> = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'declined_by_network',
  risk_level: 'normal',
  seller_message: 'The bank did not return any further details with this decline.',
  type: 'issuer_declined',
};

export interface ChargeInput {
  row: IntentRow;
  method: Stripe.PaymentMethod;
  now: Date;
}

function commonFields(id: string, { row, method, now }: ChargeInput, cvc: CvcCheck) {
  const card = method.card;
  return {
    id,
    object: 'charge' as const,
    ...NULL_FIELDS,
    amount: row.amount,
    amount_refunded: 0,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'FORGELINE SANDBOX',
    created: unixSeconds(now),
    currency: row.currency,
    description: null,
    disputed: false,
    fraud_details: {},
    livemode: false,
    metadata: row.metadata as Stripe.Metadata,
    payment_intent: row.id,
    payment_method: method.id,
    payment_method_details: { card: card && buildCardDetails(card, row.amount, cvc), type: 'card' },
    receipt_email: null,
    refunded: false,
    refunds: { object: 'list' as const, data: [], has_more: false, url: `/v1/charges/${id}/refunds` },
  } satisfies Partial<Stripe.Charge>;
}

export function chargeObject(id: string, input: ChargeInput) {
  return {
    ...commonFields(id, input, 'pass'),
    amount_captured: input.row.amount,
    balance_transaction: newId('txn'),
    captured: true,
    failure_code: null,
    failure_message: null,
    outcome: APPROVED,
    paid: true,
    status: 'succeeded',
  } satisfies Stripe.Charge;
}

export function failedChargeObject(id: string, input: ChargeInput, { code, decline_code, message }: ErrorBody) {
  return {
    ...commonFields(id, input, code === 'incorrect_cvc' ? 'fail' : 'pass'),
    amount_captured: 0,
    balance_transaction: null,
    captured: false,
    failure_code: code ?? null,
    failure_message: message ?? null,
    outcome: { ...DECLINED, reason: decline_code ?? code ?? null },
    paid: false,
    status: 'failed',
  } satisfies Stripe.Charge;
}
