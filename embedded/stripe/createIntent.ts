import type { SandboxResponse, SandboxCall } from './call';
import { placeholders, commitChange } from './commitChange';
import { rejectUnknownFields, readRequiredText, readSection, readInteger, type Form } from './form';
import { newId, randomText } from './ids';
import { intentResponse, type IntentDetails, type IntentRow } from './intentObject';
import { invalidRequest, missingParameter } from './stripeErrors';

const MIN_CENTS = 50;
const MAX_CENTS = 99_999_999;

function readAmount(form: Form): number {
  const amount = readInteger(form, 'amount');
  if (amount === null) throw missingParameter('amount');
  if (amount < MIN_CENTS) throw invalidRequest(400, 'Amount must be at least $0.50 usd', 'amount_too_small', 'amount');
  if (amount > MAX_CENTS)
    throw invalidRequest(400, 'Amount must be no more than $999,999.99', 'amount_too_large', 'amount');
  return amount;
}

const INSERT = `
  insert into embedded_stripe.intents (id, client_secret, status, amount, currency, metadata, body, created_at)
  values (${placeholders(8).join(', ')}) returning id`;

function newIntent({ form, now }: SandboxCall): IntentRow {
  rejectUnknownFields(form, ['amount', 'currency', 'metadata', 'payment_method_types']);
  if (readRequiredText(form, 'currency') !== 'usd')
    throw invalidRequest(400, 'This sandbox supports only usd.', undefined, 'currency');
  const id = newId('pi');
  const body: IntentDetails = { canceledAt: null, lastError: null, nextAction: null, charges: [] };
  return {
    id,
    clientSecret: `${id}_secret_${randomText(25)}`,
    status: 'requires_payment_method',
    amount: readAmount(form),
    amountReceived: 0,
    currency: 'usd',
    paymentMethodId: null,
    chargeId: null,
    metadata: readSection(form, 'metadata'),
    body,
    createdAt: now,
  };
}

export function createIntent(call: SandboxCall): Promise<SandboxResponse> {
  const row = newIntent(call);
  const { id, clientSecret, status, amount, currency, metadata, body, createdAt } = row;
  const values = [id, clientSecret, status, amount, currency, metadata, body, createdAt];
  return commitChange(call, { name: 'create intent', sql: INSERT, values }, intentResponse(call, row));
}
