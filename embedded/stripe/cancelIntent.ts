import type { SandboxResponse, SandboxCall } from './call';
import { respondWithoutChange, commitChange } from './commitChange';
import { eventOf } from './sandboxEvents';
import { rejectUnknownFields } from './form';
import { unixSeconds } from './ids';
import { intentResponse } from './intentObject';
import { mergeIntentChanges, buildIntentUpdate, findStateRefusal } from './intentStates';
import { findIntent } from './readIntent';

export async function cancelIntent(call: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(call.form);
  const found = await findIntent(call);
  const refusal = findStateRefusal('cancel', call, found.row);
  if (refusal) return respondWithoutChange(call, refusal);
  const details = { canceledAt: unixSeconds(call.now), nextAction: null };
  const canceled = mergeIntentChanges(found.row, { status: 'canceled' }, details);
  const events = [eventOf(call, 'payment_intent.canceled', canceled)];
  return commitChange(call, buildIntentUpdate(canceled, found), intentResponse(call, canceled), events);
}
