import { signInRefused, signInStarted } from '../api/events';
import { failureOf } from '../contract/problem';
import { IdentityError } from './identity';
import type { SessionStore } from './session';

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
    const { problem, status } = failureOf(error);
    const code = error instanceof IdentityError ? error.code : (problem?.code ?? String(status));
    dispatch(signInRefused({ code }));
    throw error;
  }
}
