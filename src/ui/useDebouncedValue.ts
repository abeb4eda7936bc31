import { useEffect, useState } from 'react';

const QUIET_MS = 400;

/** Debounces typing, so that a half-typed link is not requested. */
export function useDebouncedValue<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), QUIET_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
