import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { readOptionalText, readSection, type Form } from './form';
import { unixSeconds } from './ids';

export const BILLING_FIELDS = ['name', 'email', 'phone', 'address', 'tax_id'];

export interface StoredCard {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  hasCvc: boolean;
}

function billingDetails(form: Form): Stripe.PaymentMethod.BillingDetails {
  const address = readSection(form, 'address');
  const addressField = (name: keyof Stripe.Address) => readOptionalText(address, name);
  return {
    address: {
      city: addressField('city'),
      country: addressField('country'),
      line1: addressField('line1'),
      line2: addressField('line2'),
      postal_code: addressField('postal_code'),
      state: addressField('state'),
    },
    email: readOptionalText(form, 'email'),
    name: readOptionalText(form, 'name'),
    phone: readOptionalText(form, 'phone'),
    tax_id: readOptionalText(form, 'tax_id'),
  };
}

function cardDetails(card: StoredCard, billing: Stripe.PaymentMethod.BillingDetails): Stripe.PaymentMethod.Card {
  return {
    brand: card.brand,
    checks: {
      address_line1_check: billing.address?.line1 ? 'unchecked' : null,
      address_postal_code_check: billing.address?.postal_code ? 'unchecked' : null,
      cvc_check: card.hasCvc ? 'unchecked' : null,
    },
    country: 'US',
    display_brand: card.brand,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    fingerprint: createHash('sha256').update(`${card.brand}${card.last4}`).digest('base64url').slice(0, 16),
    funding: 'credit',
    generated_from: null,
    last4: card.last4,
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

export function paymentMethodObject(id: string, card: StoredCard, billing: Form, now: Date) {
  const details = billingDetails(billing);
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: details,
    card: cardDetails(card, details),
    created: unixSeconds(now),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  } satisfies Stripe.PaymentMethod;
}
