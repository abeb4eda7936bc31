import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` once at a time, with a pause after each run. Calls that arrive in the meantime share the next run.
 * @returns a function that adds an item, and waits for the end of the run that contains it
 */
export function createBatches(work: (items: string[]) => Promise<void>, pauseMs: number) {
  const items = new Set<string>();
  let next: Promise<void> | undefined;
  let ready: Promise<unknown> | undefined;

  async function run(): Promise<void> {
    await ready;
    const batch = [...items];
    items.clear();
    next = undefined;
    const done = work(batch);
    ready = done.then(() => sleep(pauseMs));
    return done;
  }
  return (item: string): Promise<void> => {
    items.add(item);
    return (next ??= run());
  };
}
