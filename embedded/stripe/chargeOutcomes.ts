import type { SandboxResponse, SandboxCall } from './call';
import { cardPlanOf } from './cardPlans';
import { DECLINES } from './cards';
import { buildCharge, type Charge } from './chargeObject';
import { commitChange } from './commitChange';
import { openDispute, withDispute } from './disputeChanges';
import { disputeObject } from './disputeObject';
import { eventObject, eventOf } from './sandboxEvents';
import { newId } from './ids';
import { chargesOf, intentResponse, intentVisibleTo, prependCharge, type IntentRow } from './intentObject';
import { mergeIntentChanges, buildIntentUpdate } from './intentStates';
import type { PaymentMethod } from './paymentMethods';
import type { FoundIntent } from './readIntent';
import type { ErrorBody } from './stripeErrors';

export function succeedIntent(call: SandboxCall, found: FoundIntent, method: PaymentMethod): Promise<SandboxResponse> {
  const { row } = found;
  const charge = buildCharge(newId('ch'), { row, method: method.body, now: call.now });
  const columns = {
    status: 'succeeded',
    amountReceived: row.amount,
    chargeId: charge.id,
    paymentMethodId: method.body.id,
  };
  const paid = mergeIntentChanges(row, columns, {
    lastError: null,
    nextAction: null,
    charges: prependCharge(row, charge),
  });
  const change = buildIntentUpdate(paid, found);
  const response = intentResponse(call, paid);
  const { dispute: plan } = cardPlanOf(method.outcome);
  const paidEvent = eventOf(call, 'payment_intent.succeeded', paid);
  if (!plan) return commitChange(call, change, response, [paidEvent]);
  const dispute = openDispute(plan, paid, call.now);
  const disputeEvent = eventObject(call, 'charge.dispute.created', disputeObject(dispute, paid));
  return commitChange(call, withDispute(change, dispute), response, [disputeEvent, paidEvent]);
}

interface Failure {
  lastError: ErrorBody;
  /** Missing if the customer did not pass authentication, because then no card was charged. */
  charge?: Charge;
  responseOf: (failed: IntentRow) => SandboxResponse;
}

/**
 * Records the failure and sets the intent back to `requires_payment_method`, so that the customer can try another card.
 */
export function failIntent(
  call: SandboxCall,
  found: FoundIntent,
  { lastError, charge, responseOf }: Failure,
): Promise<SandboxResponse> {
  const { row } = found;
  const columns = { status: 'requires_payment_method', paymentMethodId: null, chargeId: charge?.id ?? row.chargeId };
  const charges = charge ? prependCharge(row, charge) : chargesOf(row);
  const failed = mergeIntentChanges(row, columns, { lastError, nextAction: null, charges });
  const events = [eventOf(call, 'payment_intent.payment_failed', failed)];
  return commitChange(call, buildIntentUpdate(failed, found), responseOf(failed), events);
}

export function declineCard(
  call: SandboxCall,
  found: FoundIntent,
  method: PaymentMethod,
  code: keyof typeof DECLINES,
): Promise<SandboxResponse> {
  const reason = DECLINES[code];
  const id = newId('ch');
  const error: ErrorBody = {
    type: 'card_error',
    ...reason,
    charge: id,
    payment_method: method.body,
  };
  const charge = buildCharge(id, { row: found.row, method: method.body, now: call.now }, error);
  const responseOf = (failed: IntentRow) => ({
    status: 402,
    body: { error: { ...error, payment_intent: intentVisibleTo(call.caller, failed) } },
  });
  return failIntent(call, found, { lastError: error, charge, responseOf });
}
