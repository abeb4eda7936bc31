import { useEffect, useState } from 'react';

const DEBOUNCE_MS = 400;

/**
 * Returns a value only after it has not changed for a while. For example, a link is not loaded while it is being typed.
 */
export function useDebouncedValue<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
