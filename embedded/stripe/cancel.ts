import { ok, type SandboxAnswer, type SandboxCall } from './call';
import { onlyAnswer, commitChange } from './commitChange';
import { eventOf } from './sandboxEvents';
import { allow, optionalText } from './form';
import { seconds } from './ids';
import { shownTo } from './intentObject';
import { moved, moveTo, unexpectedState } from './intentStates';
import { findIntent } from './readIntent';
import { invalidRequest } from './stripeErrors';

const REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'];

export async function cancelIntent(call: SandboxCall): Promise<SandboxAnswer> {
  allow(call.form, ['cancellation_reason']);
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
  if (refused) return onlyAnswer(call, refused);
  const details = { canceledAt: seconds(call.now), cancellationReason, nextAction: null };
  const canceled = moved(found.row, { status: 'canceled' }, details);
  const events = [eventOf(call, 'payment_intent.canceled', canceled)];
  return commitChange(call, moveTo(canceled, found), ok(shownTo(call.caller, canceled)), events);
}
