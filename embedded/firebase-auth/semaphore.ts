export class SemaphoreFull extends Error {}

/** Limits how many calls run at the same time. The others wait in order. If too many wait, throws `SemaphoreFull`. */
export function createSemaphore(maxRunning: number, maxWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function runLimited<T>(work: () => Promise<T>): Promise<T> {
    if (running < maxRunning) running += 1;
    else if (waiting.length >= maxWaiting) throw new SemaphoreFull();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
