export class SemaphoreFull extends Error {}

/** Runs a few pieces of work at once. Others wait in order, and are refused when too many wait. */
export function createSemaphore(atOnce: number, mayWait: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function withTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else if (waiting.length >= mayWait) throw new SemaphoreFull();
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
