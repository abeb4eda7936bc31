import type { sandboxIntents } from './schema';
import type { SandboxResponse, SandboxCall } from './call';
import { placeholders, type ChangeStatement } from './commitChange';
import { detailsOf, intentVisibleTo, type IntentDetails, type IntentRow } from './intentObject';
import type { FoundIntent } from './readIntent';
import { docUrl } from './stripeErrors';

type IntentColumns = Partial<Omit<typeof sandboxIntents.$inferInsert, 'id' | 'body'>>;

export const mergeIntentChanges = (
  row: IntentRow,
  columns: IntentColumns,
  details: Partial<IntentDetails>,
): IntentRow => ({
  ...row,
  ...columns,
  body: { ...detailsOf(row), ...details },
});

const [ID, VERSION, STATUS, RECEIVED, METHOD, CHARGE, BODY] = placeholders(7);
const UPDATE = `
  update embedded_stripe.intents set status = ${STATUS}, amount_received = ${RECEIVED}, payment_method_id = ${METHOD},
    charge_id = ${CHARGE}, body = ${BODY}, version = version + 1
  where id = ${ID} and version = ${VERSION}::integer returning id`;

/** @returns a statement that stores an intent's new state, unless the intent was changed after it was read */
export function buildIntentUpdate(
  { id, status, amountReceived, paymentMethodId, chargeId, body }: IntentRow,
  { version }: FoundIntent,
): ChangeStatement {
  return {
    name: 'update intent',
    sql: UPDATE,
    values: [id, version, status, amountReceived, paymentMethodId, chargeId, body],
  };
}

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const CANCELABLE = [...CONFIRMABLE, 'requires_capture', 'processing'];

function confirmMessage(status: string): string {
  if (status === 'succeeded') {
    return 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.';
  }
  return `You cannot confirm this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${CONFIRMABLE.join(', ')}.`;
}

const cancelMessage = (status: string) =>
  `You cannot cancel this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of the following statuses may be canceled: ${CANCELABLE.join(', ')}.`;

const authenticateMessage = (status: string) =>
  `You cannot authenticate this PaymentIntent because it has a status of ${status}.`;

const RULES = {
  confirm: { states: CONFIRMABLE, message: confirmMessage },
  cancel: { states: CANCELABLE, message: cancelMessage },
  authenticate: { states: ['requires_action'], message: authenticateMessage },
};

/** @returns Stripe's error response if the intent's state does not allow the action, or null */
export function findStateRefusal(
  action: keyof typeof RULES,
  call: SandboxCall,
  row: IntentRow,
): SandboxResponse | null {
  const { states, message } = RULES[action];
  if (states.includes(row.status)) return null;
  const code = 'payment_intent_unexpected_state';
  const error = { type: 'invalid_request_error', code, doc_url: docUrl(code), message: message(row.status) };
  return { status: 400, body: { error: { ...error, payment_intent: intentVisibleTo(call.caller, row) } } };
}
