import type Stripe from 'stripe';
import { okResponse, type SandboxResponse, type SandboxCall } from './call';
import { checkCvc, checkExpiry, outcomeOf, type TestCardOutcome } from './cards';
import { placeholders, commitChange } from './commitChange';
import { rejectUnknownFields, readOptionalText, readSection, readRequiredText, readInteger, type Form } from './form';
import { newId, unixSeconds } from './ids';
import { invalidRequest, missingParameter } from './stripeErrors';

export interface PaymentMethod {
  body: Stripe.PaymentMethod;
  outcome: TestCardOutcome;
}

/** As with Stripe, `30` means the year 2030. */
const fullYear = (year: number) => (year < 100 ? 2000 + year : year);

function requiredNumber(card: Form, name: string): number {
  const value = readInteger(card, name);
  if (value === null) throw missingParameter(`card[${name}]`);
  return value;
}

function readCard(card: Form, now: Date) {
  rejectUnknownFields(card, ['number', 'exp_month', 'exp_year', 'cvc']);
  const number = readRequiredText(card, 'number').replace(/[ -]/g, '');
  const exp_month = requiredNumber(card, 'exp_month');
  const exp_year = fullYear(requiredNumber(card, 'exp_year'));
  const outcome = outcomeOf(number);
  checkExpiry(exp_month, exp_year, now);
  checkCvc(readOptionalText(card, 'cvc'));
  return { outcome, card: { brand: 'visa', exp_month, exp_year, last4: number.slice(-4) } };
}

function readBillingDetails(form: Form) {
  const billing = readSection(form, 'billing_details');
  rejectUnknownFields(billing, ['name', 'email', 'address']);
  const address = readSection(billing, 'address');
  rejectUnknownFields(address, ['postal_code']);
  return {
    address: { postal_code: readOptionalText(address, 'postal_code') },
    email: readOptionalText(billing, 'email'),
    name: readOptionalText(billing, 'name'),
  };
}

const INSERT = `
  insert into embedded_stripe.payment_methods (id, outcome, body, created_at)
  values (${placeholders(3).join(', ')}, $1) returning id`;

/** Of the card number, only the last four digits are stored. */
export async function createPaymentMethod(call: SandboxCall): Promise<SandboxResponse> {
  const { form, now } = call;
  rejectUnknownFields(form, ['type', 'card', 'billing_details']);
  const type = readRequiredText(form, 'type');
  if (type !== 'card') throw invalidRequest(400, `The payment method type "${type}" is invalid.`, undefined, 'type');
  const billing_details = readBillingDetails(form);
  const { outcome, card } = readCard(readSection(form, 'card'), now);
  const id = newId('pm');
  const body = {
    id,
    object: 'payment_method',
    billing_details,
    card,
    created: unixSeconds(now),
    livemode: false,
    type,
  };
  return commitChange(
    call,
    { name: 'create payment method', sql: INSERT, values: [id, outcome, body] },
    okResponse(body),
  );
}
