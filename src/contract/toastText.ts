import { supportCodeOf, failureOf, messageOf } from './problem';

/** @returns the code that a sentence about the failure ends with. Only server errors need one. */
export const shownCodeOf = (error: unknown): string | undefined =>
  failureOf(error).kind === 'internal' ? supportCodeOf(error) : undefined;

/** @returns a sentence about the failure. After a server error, it ends with a code that the customer can read out. */
export function toastTextOf(error: unknown): string {
  const code = shownCodeOf(error);
  return code ? `${messageOf(error)} (code ${code})` : messageOf(error);
}
