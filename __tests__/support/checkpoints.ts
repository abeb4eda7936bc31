import type { Checkpoint } from '../../server/payments/context';

/** Runs work once, right before a named server step. Within that work, the same step is not intercepted again. */
export function createCheckpoints() {
  const pending = new Map<Checkpoint, () => Promise<unknown>>();
  return {
    checkpoint: async (step: Checkpoint) => {
      const work = pending.get(step);
      pending.delete(step);
      await work?.();
    },
    /** Runs the work right before the server next takes this step. */
    runBefore: (step: Checkpoint, work: () => Promise<unknown>) => void pending.set(step, work),
    haveAllRun: () => pending.size === 0,
  };
}
