import { DatabaseError } from 'pg';
import type { SandboxResponse, SandboxCall } from './call';
import { isPayingOutcome } from './cardPlans';
import { declineCard, failIntent, succeedIntent } from './chargeOutcomes';
import { respondWithoutChange, commitChange } from './commitChange';
import { rejectUnknownFields, readOptionalText, readRequiredText } from './form';
import { intentResponse } from './intentObject';
import { mergeIntentChanges, buildIntentUpdate, findStateRefusal } from './intentStates';
import type { PaymentMethod } from './paymentMethods';
import { findIntent, type FoundIntent } from './readIntent';
import { invalidRequest, missingParameter, noSuchObject } from './stripeErrors';

const METHOD_ALREADY_USED =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment. It may not be used again.';

/**
 * A payment method can pay for only one intent. If it was used before, or deleted since this call read it, the update
 * violates a constraint. This function turns the violation into Stripe's error.
 */
const rethrowAsMethodError = (methodId: string) => (error: unknown) => {
  if (!(error instanceof DatabaseError)) throw error;
  if (error.constraint === 'sandbox_intents_method')
    throw invalidRequest(400, METHOD_ALREADY_USED, 'payment_method_unexpected_state', 'payment_method');
  throw error.code === '23503' ? noSuchObject('PaymentMethod', methodId, 'payment_method') : error;
};

function requestAuthentication(
  call: SandboxCall,
  found: FoundIntent,
  { body }: PaymentMethod,
): Promise<SandboxResponse> {
  const use_stripe_sdk = { type: 'three_d_secure_redirect', stripe_js: `${call.publicUrl}/v1/sandbox/challenge` };
  const nextAction = { type: 'use_stripe_sdk', use_stripe_sdk };
  const columns = { status: 'requires_action', paymentMethodId: body.id };
  const updated = mergeIntentChanges(found.row, columns, { nextAction, lastError: null });
  return commitChange(call, buildIntentUpdate(updated, found), intentResponse(call, updated));
}

function chargeCard(call: SandboxCall, found: FoundIntent, method: PaymentMethod): Promise<SandboxResponse> {
  if (isPayingOutcome(method.outcome)) return succeedIntent(call, found, method);
  if (method.outcome === 'asks_for_authentication') return requestAuthentication(call, found, method);
  return declineCard(call, found, method, method.outcome);
}

export async function confirmIntent(call: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(call.form, ['payment_method', 'client_secret']);
  const sentMethodId = readOptionalText(call.form, 'payment_method');
  const found = await findIntent(call, sentMethodId);
  const { row, method } = found;
  const refusal = findStateRefusal('confirm', call, row);
  if (refusal) return respondWithoutChange(call, refusal);
  const methodId = sentMethodId ?? row.paymentMethodId;
  if (!methodId) throw missingParameter('payment_method');
  if (!method) throw noSuchObject('PaymentMethod', methodId, 'payment_method');
  return chargeCard(call, found, method).catch(rethrowAsMethodError(methodId));
}

const NOT_AUTHENTICATED = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
};

/** Receives the outcome from the challenge page. Stripe's own page uses a private API for this. */
export async function authenticateIntent(call: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(call.form, ['client_secret', 'outcome']);
  const hasPassed = readRequiredText(call.form, 'outcome') === 'pass';
  const found = await findIntent(call);
  const refusal = findStateRefusal('authenticate', call, found.row);
  if (refusal) return respondWithoutChange(call, refusal);
  // An intent that waits for authentication references its payment method, so the row cannot be deleted.
  const method = found.method!;
  if (hasPassed) return succeedIntent(call, found, method);
  const lastError = { ...NOT_AUTHENTICATED, payment_method: method.body };
  return failIntent(call, found, {
    lastError,
    responseOf: (failed) => intentResponse(call, failed),
  });
}
