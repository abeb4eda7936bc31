import { failureOf } from '../contract/problem';
import { shownCodeOf, toastTextOf } from '../contract/toastText';
import { notify } from './notify';

/** Shows a failed call as a toast. If the session has ended, another toast has already announced that. */
export function notifyFailure(error: unknown, text?: string): void {
  if (failureOf(error).kind === 'signedOut') return;
  if (text === undefined) notify.failure(toastTextOf(error), shownCodeOf(error));
  else notify.error(text);
}
