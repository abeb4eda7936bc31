import type { Checkpoint } from '../../server/payments/context';

/** Runs work exactly before a named step of the server, once. Steps within that work are not intercepted. */
export function interleaving() {
  const waiting = new Map<Checkpoint, () => Promise<unknown>>();
  return {
    checkpoint: async (step: Checkpoint) => {
      const other = waiting.get(step);
      waiting.delete(step);
      await other?.();
    },
    /** Before the next time that this step is taken. */
    justBefore: (step: Checkpoint, other: () => Promise<unknown>) => void waiting.set(step, other),
    /** Whether all arranged work has run. */
    allCame: () => waiting.size === 0,
  };
}
