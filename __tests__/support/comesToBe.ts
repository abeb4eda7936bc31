import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 30_000;

/** What is read comes to be this: a page shows what was done to it when it has the time. Fails with the difference. */
export async function comesToBe(read: () => unknown, wanted: unknown): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    try {
      return expect(await read()).toEqual(wanted);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
