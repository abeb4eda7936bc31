import { DatabaseError } from 'pg';
import { ok, type SandboxAnswer, type SandboxCall } from './call';
import { decline, fail, succeed } from './charge';
import { onlyAnswer, commitChange } from './commitChange';
import { eventOf } from './sandboxEvents';
import { allow, optionalText, text } from './form';
import { shownTo } from './intentObject';
import { moved, moveTo, unexpectedState } from './intentStates';
import type { PaymentMethod } from './paymentMethods';
import { findIntent, type Found } from './readIntent';
import { docUrl, invalidRequest, missing, noSuch } from './stripeErrors';

const CONFIRM = ['payment_method', 'client_secret', 'return_url', 'receipt_email', 'use_stripe_sdk'];
const USED =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment. It may not be used again.';

/** A card pays one intent: the database knows whether it is another's, or gone since it was read. */
const refuseCard = (methodId: string) => (error: unknown) => {
  if (!(error instanceof DatabaseError)) throw error;
  if (error.constraint === 'sandbox_intents_method')
    throw invalidRequest(400, USED, 'payment_method_unexpected_state', 'payment_method');
  throw error.code === '23503' ? noSuch('PaymentMethod', methodId, 'payment_method') : error;
};

function challenge(call: SandboxCall, found: Found, { body }: PaymentMethod): Promise<SandboxAnswer> {
  const use_stripe_sdk = { type: 'three_d_secure_redirect', stripe_js: `${call.publicUrl}/v1/sandbox/challenge` };
  const nextAction = { type: 'use_stripe_sdk', use_stripe_sdk };
  const columns = { status: 'requires_action', paymentMethodId: body.id };
  const asking = moved(found.row, columns, { nextAction, lastError: null });
  const events = [eventOf(call, 'payment_intent.requires_action', asking)];
  return commitChange(call, moveTo(asking, found), ok(shownTo(call.caller, asking)), events);
}

function charge(call: SandboxCall, found: Found, method: PaymentMethod): Promise<SandboxAnswer> {
  if (method.outcome === 'pays') return succeed(call, found, method);
  if (method.outcome === 'asks_for_authentication') return challenge(call, found, method);
  return decline(call, found, method, method.outcome);
}

export async function confirmIntent(call: SandboxCall): Promise<SandboxAnswer> {
  allow(call.form, CONFIRM);
  const given = optionalText(call.form, 'payment_method');
  const found = await findIntent(call, given);
  const { row, method } = found;
  const refused = unexpectedState('confirm', call, row);
  if (refused) return onlyAnswer(call, refused);
  const methodId = given ?? row.paymentMethodId;
  if (!methodId) throw missing('payment_method');
  if (!method) throw noSuch('PaymentMethod', methodId, 'payment_method');
  return charge(call, found, method).catch(refuseCard(methodId));
}

const NOT_AUTHENTICATED = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  doc_url: docUrl('payment_intent_authentication_failure'),
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
};

/** How the challenge ended, told by its page: the one call here that Stripe keeps to itself. */
export async function authenticateIntent(call: SandboxCall): Promise<SandboxAnswer> {
  allow(call.form, ['client_secret', 'outcome']);
  const passed = text(call.form, 'outcome') === 'pass';
  const found = await findIntent(call);
  const refused = unexpectedState('authenticate', call, found.row);
  if (refused) return onlyAnswer(call, refused);
  const { method } = found;
  if (!method) throw noSuch('PaymentMethod', found.row.paymentMethodId ?? '', 'payment_method');
  if (passed) return succeed(call, found, method);
  const lastError = { ...NOT_AUTHENTICATED, payment_method: method.body };
  return fail(call, found, { lastError, answerOf: (failed) => ok(shownTo(call.caller, failed)) });
}
