import type { sandboxIntents } from './schema';
import type { SandboxResponse, SandboxCall } from './call';
import { placeholders, type ChangeStatement } from './commitChange';
import { detailsOf, intentVisibleTo, type IntentDetails, type IntentRow } from './intentObject';
import type { FoundIntent } from './readIntent';

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
const ALLOWED = {
  confirm: CONFIRMABLE,
  cancel: [...CONFIRMABLE, 'requires_capture', 'processing'],
  authenticate: ['requires_action'],
};

/** @returns Stripe's error response if the intent's state does not allow the action, or null */
export function findStateRefusal(
  action: keyof typeof ALLOWED,
  call: SandboxCall,
  row: IntentRow,
): SandboxResponse | null {
  if (ALLOWED[action].includes(row.status)) return null;
  const error = {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: `You cannot ${action} this PaymentIntent because it has a status of ${row.status}.`,
  };
  return { status: 400, body: { error: { ...error, payment_intent: intentVisibleTo(call.caller, row) } } };
}
