import { ok, type Answer, type Call } from './call';
import { DECLINES } from './cards';
import { chargeObject } from './chargeObject';
import { takeEffect } from './effect';
import { eventOf, paidEvents } from './events';
import { newId } from './ids';
import { shownTo, type IntentRow } from './intentObject';
import { moved, moveTo } from './intentStates';
import type { PaymentMethod } from './paymentMethods';
import type { Found } from './readIntent';
import { docUrl, type ErrorBody } from './refusals';

export function succeed(call: Call, found: Found, method: PaymentMethod): Promise<Answer> {
  const { row } = found;
  const charge = chargeObject(newId('ch'), row, method.body, call.now);
  const columns = {
    status: 'succeeded',
    amountReceived: row.amount,
    chargeId: charge.id,
    paymentMethodId: method.body.id,
  };
  const paid = moved(row, columns, { lastError: null, nextAction: null });
  return takeEffect(call, moveTo(paid, found), ok(shownTo(call.caller, paid)), paidEvents(call, paid, charge));
}

/** Back to where another card may be tried. */
export function fail(
  call: Call,
  found: Found,
  lastError: ErrorBody,
  answerOf: (failed: IntentRow) => Answer,
): Promise<Answer> {
  const columns = {
    status: 'requires_payment_method',
    paymentMethodId: null,
    chargeId: lastError.charge ?? found.row.chargeId,
  };
  const failed = moved(found.row, columns, { lastError, nextAction: null });
  const events = [eventOf(call, 'payment_intent.payment_failed', failed)];
  return takeEffect(call, moveTo(failed, found), answerOf(failed), events);
}

export function decline(call: Call, found: Found, method: PaymentMethod, why: keyof typeof DECLINES): Promise<Answer> {
  const reason = DECLINES[why];
  const error: ErrorBody = {
    type: 'card_error',
    ...reason,
    charge: newId('ch'),
    doc_url: docUrl(reason.code ?? ''),
    payment_method: method.body,
  };
  return fail(call, found, error, (failed) => ({
    status: 402,
    body: { error: { ...error, payment_intent: shownTo(call.caller, failed) } },
  }));
}
