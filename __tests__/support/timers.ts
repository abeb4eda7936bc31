import { waitUntil } from './wait';

const { setTimeout: realSetTimeout } = globalThis;

/** Records the timers with this delay, so that a test can end them early. `jest.restoreAllMocks` stops recording. */
export function recordTimers(delayMs: number) {
  const callbacks: (() => void)[] = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
    callback: (...values: unknown[]) => void,
    ms: number,
    ...values: unknown[]
  ) => {
    if (ms === delayMs) callbacks.push(callback);
    return realSetTimeout(callback, ms, ...values);
  }) as typeof setTimeout);
  return {
    waitFor: (count: number) => waitUntil(() => callbacks.length >= count),
    end: () => callbacks.splice(0).forEach((callback) => callback()),
  };
}
