import { codeOf, failureOf, messageOf } from './problem';

/** @returns one sentence about the failure, with the code to read out if the server failed */
export function toastTextOf(error: unknown): string {
  const code = Number(failureOf(error).status) >= 500 && codeOf(error);
  return code ? `${messageOf(error)} (code ${code})` : messageOf(error);
}

export const hasCode = (text: string): boolean => / \(code [^)]*\)$/.test(text);
