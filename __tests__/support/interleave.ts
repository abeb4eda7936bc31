import type { Checkpoint } from '../../server/payments/context';

/** Runs something else exactly before a named step of the server: once, and the steps of that something run on. */
export function interleaving() {
  const waiting = new Map<Checkpoint, () => Promise<unknown>>();
  return {
    checkpoint: async (step: Checkpoint) => {
      const other = waiting.get(step);
      waiting.delete(step);
      await other?.();
    },
    /** The next time this step is about to be taken. */
    justBefore: (step: Checkpoint, other: () => Promise<unknown>) => void waiting.set(step, other),
    /** Every arranged moment has come. */
    allCame: () => waiting.size === 0,
  };
}
