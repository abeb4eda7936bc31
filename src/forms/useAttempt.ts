import { useState } from 'react';
import { tellingOf } from '../contract/telling';

export interface Attempt {
  /** What went wrong with the last one, in words. */
  error: string;
  /** Also after success, until the page is left: what follows is on its way. */
  busy: boolean;
  run(work: () => Promise<void>, then: () => void): Promise<void>;
}

/** One try at a time at signing in. */
export function useAttempt(): Attempt {
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  async function run(work: () => Promise<void>, then: () => void) {
    if (busy) return;
    setError('');
    setBusy(true);
    try {
      await work();
      then();
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : tellingOf(problem));
      setBusy(false);
    }
  }
  return { error, busy, run };
}
