import { failureOf } from '../contract/problem';
import { toastTextOf } from '../contract/toastText';
import { notify } from './notify';

/** Shows a failed call as a toast. If the session has ended, another toast has already announced that. */
export function notifyFailure(error: unknown, text = toastTextOf(error)): void {
  if (failureOf(error).kind !== 'signedOut') notify.error(text);
}
