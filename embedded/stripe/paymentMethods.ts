import type Stripe from 'stripe';
import { okResponse, type SandboxResponse, type SandboxCall } from './call';
import { checkCvc, checkExpiry, outcomeOf, type TestCardOutcome } from './cards';
import { placeholders, commitChange } from './commitChange';
import { rejectUnknownFields, readOptionalText, readSection, readRequiredText, readInteger, type Form } from './form';
import { newId } from './ids';
import { BILLING_FIELDS, paymentMethodObject, type StoredCard } from './paymentMethodObject';
import { invalidRequest, missingParameter } from './stripeErrors';

/** As with Stripe, `30` means the year 2030. */
const fullYear = (year: number) => (year < 100 ? 2000 + year : year);

function requiredNumber(card: Form, name: string): number {
  const value = readInteger(card, name);
  if (value === null) throw missingParameter(`card[${name}]`);
  return value;
}

function readCard(card: Form, now: Date): { outcome: TestCardOutcome; storedCard: StoredCard } {
  rejectUnknownFields(card, ['number', 'exp_month', 'exp_year', 'cvc']);
  const number = readRequiredText(card, 'number').replace(/[ -]/g, '');
  const cvc = readOptionalText(card, 'cvc');
  const expMonth = requiredNumber(card, 'exp_month');
  const expYear = fullYear(requiredNumber(card, 'exp_year'));
  const outcome = outcomeOf(number);
  checkExpiry(expMonth, expYear, now);
  checkCvc(cvc);
  const storedCard = { brand: 'visa', last4: number.slice(-4), expMonth, expYear, hasCvc: cvc !== null };
  return { outcome, storedCard };
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
  const billing = readSection(form, 'billing_details');
  rejectUnknownFields(billing, BILLING_FIELDS);
  const { outcome, storedCard } = readCard(readSection(form, 'card'), now);
  const body = paymentMethodObject(newId('pm'), storedCard, billing, now);
  return commitChange(
    call,
    { name: 'create payment method', sql: INSERT, values: [body.id, outcome, body] },
    okResponse(body),
  );
}

export interface PaymentMethod {
  body: Stripe.PaymentMethod;
  outcome: TestCardOutcome;
}
