import { useEffect, useState } from 'react';

const QUIET_MS = 400;

/** The value once it has not changed for a moment: half a link is asked of nobody. */
export function useDebouncedValue<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), QUIET_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
