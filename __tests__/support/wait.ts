import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 20;

type Present<T> = Exclude<T, false | null | undefined>;

/** Asks again until the answer is neither false nor missing, and returns it. For what has no event to wait for. */
export async function waitUntil<T>(read: () => T | Promise<T>, withinMs = PATIENCE_MS): Promise<Present<T>> {
  for (const end = Date.now() + withinMs; ; await sleep(PAUSE_MS)) {
    const value = await read();
    if (value !== false && value !== null && value !== undefined) return value as Present<T>;
    if (Date.now() > end) throw new Error(`not true after ${withinMs} ms: ${read.toString()}`);
  }
}

/** Reads again until the value equals `wanted`. Fails with the last difference. */
export async function expectEventually(read: () => unknown, wanted: unknown, withinMs = PATIENCE_MS): Promise<void> {
  for (const end = Date.now() + withinMs; ; await sleep(PAUSE_MS)) {
    try {
      return expect(await read()).toEqual(wanted);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
