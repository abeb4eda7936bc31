import { signInRefused, signInStarted } from '../api/events';
import { failureOf } from '../contract/problem';
import { IdentityError } from './identity';
import type { SessionStore } from './session';

function codeOf(error: unknown): string {
  if (error instanceof IdentityError) return error.code;
  const { problem, status } = failureOf(error);
  return problem?.code ?? String(status);
}

/** Runs a step of a sign-in, and shows in Redux DevTools that it started and why it was refused. */
export async function announceSignIn<T>(
  { dispatch }: SessionStore,
  method: string,
  step: () => Promise<T>,
): Promise<T> {
  dispatch(signInStarted({ method }));
  try {
    return await step();
  } catch (error) {
    dispatch(signInRefused({ code: codeOf(error) }));
    throw error;
  }
}
