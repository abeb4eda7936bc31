export class NoTurn extends Error {}

/** Lets a few pieces of work run at once; others wait for their turn, and are refused when too many do. */
export function takeTurns(atOnce: number, mayWait: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else if (waiting.length >= mayWait) throw new NoTurn();
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
