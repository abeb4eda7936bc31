import { codeOf, failureOf, messageOf } from './problem';

/** For where a sentence is all there is: of a failure of ours it has the code. */
export function tellingOf(error: unknown): string {
  const code = Number(failureOf(error).status) >= 500 && codeOf(error);
  return code ? `${messageOf(error)} (code ${code})` : messageOf(error);
}
