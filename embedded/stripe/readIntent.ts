import { okResponse, type SandboxResponse, type SandboxCall } from './call';
import { isSameSecret } from './sandboxKeys';
import { readSection, rejectUnknownFields } from './form';
import { intentVisibleTo, type IntentRow } from './intentObject';
import type { PaymentMethod } from './paymentMethods';
import { invalidRequest, noSuchObject, StripeErrorResponse } from './stripeErrors';

/** An intent with the payment method that the call names. If it names none, with the intent's stored payment method. */
export interface FoundIntent {
  row: IntentRow;
  /** Grows with each change, for optimistic locking. */
  version: number;
  method: PaymentMethod | null;
}

const FIND = {
  name: 'sandbox find',
  text: `
select i.id, i.client_secret as "clientSecret", i.status, i.amount::integer, i.currency, i.metadata, i.body,
  i.amount_received::integer as "amountReceived", i.payment_method_id as "paymentMethodId",
  i.charge_id as "chargeId", i.created_at as "createdAt", i.version, m.outcome, m.body as card
from embedded_stripe.intents i left join embedded_stripe.payment_methods m on m.id = coalesce($2, i.payment_method_id)
where i.id = $1`,
};

export type IntentSearch = Pick<SandboxCall, 'db' | 'id' | 'caller' | 'clientSecret'>;
type Row = IntentRow & { version: number; outcome: PaymentMethod['outcome']; card: PaymentMethod['body'] | null };

/**
 * A caller with the publishable key must also send the intent's client secret. Otherwise the intent is reported as
 * unknown.
 */
export async function findIntent(call: IntentSearch, methodId: string | null = null): Promise<FoundIntent> {
  const { rows } = await call.db.$client.query<Row>({ ...FIND, values: [call.id, methodId] });
  const found = rows[0];
  const isAllowed = found && (call.caller === 'secret' || isSameSecret(call.clientSecret, found.clientSecret));
  if (!isAllowed) throw noSuchObject('payment_intent', call.id, 'intent');
  const { version, outcome, card, ...row } = found;
  return { row, version, method: card && { outcome, body: card } };
}

/**
 * Used when the intent's id is a parameter of the call and not part of its URL. Stripe's error then names that
 * parameter.
 */
export const rethrowAsParameterError = (id: string) => (error: unknown) => {
  throw error instanceof StripeErrorResponse ? noSuchObject('payment_intent', id, 'payment_intent') : error;
};

export async function readIntent(call: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(call.form, call.caller === 'secret' ? ['client_secret', 'expand'] : ['client_secret']);
  const expansions = Object.values(readSection(call.form, 'expand'));
  const unsupported = expansions.find((name) => name !== 'payment_method');
  if (unsupported !== undefined) throw invalidRequest(400, `This property cannot be expanded (${unsupported}).`);
  const { row, method } = await findIntent(call);
  const intent = intentVisibleTo(call.caller, row);
  return okResponse(expansions.length > 0 && method ? { ...intent, payment_method: method.body } : intent);
}
