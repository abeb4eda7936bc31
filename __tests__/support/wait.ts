import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

type Present<T> = Exclude<T, false | null | undefined>;

/** Polls until `read` returns a value other than false, null or undefined. Use it only where no event exists. */
export async function waitUntil<T>(read: () => T | Promise<T>, withinMs = TIMEOUT_MS): Promise<Present<T>> {
  for (const end = Date.now() + withinMs; ; await sleep(POLL_INTERVAL_MS)) {
    const value = await read();
    if (value !== false && value !== null && value !== undefined) return value as Present<T>;
    if (Date.now() > end) throw new Error(`not true after ${withinMs} ms: ${read.toString()}`);
  }
}

/** Polls until `read` returns a value equal to `expected`. Fails with the last difference. */
export async function expectEventually(read: () => unknown, expected: unknown, withinMs = TIMEOUT_MS): Promise<void> {
  for (const end = Date.now() + withinMs; ; await sleep(POLL_INTERVAL_MS)) {
    try {
      return expect(await read()).toEqual(expected);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
