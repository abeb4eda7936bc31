import type Stripe from 'stripe';
import { ok, type SandboxAnswer, type SandboxCall } from './call';
import { checkCvc, checkExpiry, outcomeOf, type TestCardOutcome } from './cards';
import { places, commitChange } from './commitChange';
import { allow, optionalText, section, text, wholeNumber, type Form } from './form';
import { newId } from './ids';
import { BILLING, paymentMethodObject, type CardFacts } from './paymentMethodObject';
import { invalidRequest, missing } from './stripeErrors';

/** A year in two digits is of this century. */
const wholeYear = (year: number) => (year < 100 ? 2000 + year : year);

function required(card: Form, name: string): number {
  const value = wholeNumber(card, name);
  if (value === null) throw missing(`card[${name}]`);
  return value;
}

function readCard(card: Form, now: Date): { outcome: TestCardOutcome; facts: CardFacts } {
  allow(card, ['number', 'exp_month', 'exp_year', 'cvc']);
  const number = text(card, 'number').replace(/[ -]/g, '');
  const cvc = optionalText(card, 'cvc');
  const expMonth = required(card, 'exp_month');
  const expYear = wholeYear(required(card, 'exp_year'));
  const outcome = outcomeOf(number);
  checkExpiry(expMonth, expYear, now);
  checkCvc(cvc);
  return { outcome, facts: { brand: 'visa', last4: number.slice(-4), expMonth, expYear, cvcGiven: cvc !== null } };
}

const INSERT = `
  insert into sandbox_payment_methods (id, outcome, body, created_at)
  values (${places(3).join(', ')}, $1) returning id`;

/** The number is read and forgotten here: what stays is its brand, its last four digits and how it will end. */
export async function createPaymentMethod(call: SandboxCall): Promise<SandboxAnswer> {
  const { form, now } = call;
  allow(form, ['type', 'card', 'billing_details']);
  const type = text(form, 'type');
  if (type !== 'card') throw invalidRequest(400, `The payment method type "${type}" is invalid.`, undefined, 'type');
  const billing = section(form, 'billing_details');
  allow(billing, BILLING);
  const { outcome, facts } = readCard(section(form, 'card'), now);
  const body = paymentMethodObject(newId('pm'), facts, billing, now);
  return commitChange(call, { name: 'card', done: INSERT, values: [body.id, outcome, body] }, ok(body));
}

export interface PaymentMethod {
  body: Stripe.PaymentMethod;
  outcome: TestCardOutcome;
}
