import { IdentityError } from './identityErrors';

/** Limits how many calls run at the same time. The others wait in order. If too many wait, refuses the call. */
export function createSemaphore(maxRunning: number, maxWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function runLimited<T>(work: () => Promise<T>): Promise<T> {
    if (running < maxRunning) running += 1;
    else if (waiting.length >= maxWaiting) throw new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER', 503, 5);
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
