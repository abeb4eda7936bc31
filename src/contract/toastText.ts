import { supportCodeOf, failureOf, messageOf } from './problem';

/** @returns a sentence about the failure. After a server error, it ends with a code that the customer can read out. */
export function toastTextOf(error: unknown): string {
  const code = failureOf(error).kind === 'internal' && supportCodeOf(error);
  return code ? `${messageOf(error)} (code ${code})` : messageOf(error);
}
