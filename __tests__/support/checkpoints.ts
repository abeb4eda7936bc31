/** Runs work exactly before a named step of the server, once. Steps within that work are not intercepted. */
export function interleaving() {
  const waiting = new Map<string, () => Promise<unknown>>();
  return {
    before: async (step: string) => {
      const other = waiting.get(step);
      waiting.delete(step);
      await other?.();
    },
    /** Before the next time that this step is taken. */
    justBefore: (step: string, other: () => Promise<unknown>) => void waiting.set(step, other),
    /** Whether all arranged work has run. */
    allCame: () => waiting.size === 0,
  };
}
