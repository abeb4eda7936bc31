import { ok, type SandboxAnswer, type SandboxCall } from './call';
import { answerWithoutChange, commitChange } from './commitChange';
import { eventOf } from './sandboxEvents';
import { allowOnly, optionalText } from './form';
import { unixSeconds } from './ids';
import { visibleTo } from './intentObject';
import { withChanges, updateIntent, unexpectedState } from './intentStates';
import { findIntent } from './readIntent';
import { invalidRequest } from './stripeErrors';

const REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'];

export async function cancelIntent(call: SandboxCall): Promise<SandboxAnswer> {
  allowOnly(call.form, ['cancellation_reason']);
  const cancellationReason = optionalText(call.form, 'cancellation_reason');
  if (cancellationReason && !REASONS.includes(cancellationReason)) {
    throw invalidRequest(
      400,
      `Invalid cancellation_reason: must be one of ${REASONS.join(', ')}`,
      undefined,
      'cancellation_reason',
    );
  }
  const found = await findIntent(call);
  const refused = unexpectedState('cancel', call, found.row);
  if (refused) return answerWithoutChange(call, refused);
  const details = { canceledAt: unixSeconds(call.now), cancellationReason, nextAction: null };
  const canceled = withChanges(found.row, { status: 'canceled' }, details);
  const events = [eventOf(call, 'payment_intent.canceled', canceled)];
  return commitChange(call, updateIntent(canceled, found), ok(visibleTo(call.caller, canceled)), events);
}
