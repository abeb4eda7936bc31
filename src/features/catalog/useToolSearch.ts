import { startTransition, useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useHydrated } from '../../ui/useHydrated';
import { NO_SEARCH, readToolSearch, writeToolSearch, type ToolSearch } from './toolSearch';

/** Safari refuses more than a hundred changes of the URL in 30 seconds. */
const ADDRESS_DELAY_MS = 400;

/**
 * Keeps the search in the URL, and changes the URL a moment after typing. The first letters add a history entry for
 * Back, and later ones replace it. Until hydration there is no search, as in the server's HTML.
 */
export function useToolSearch(field: RefObject<HTMLInputElement | null>) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const [typed, setTyped] = useState<string | null>(null);
  const stored = isHydrated ? readToolSearch(search) : NO_SEARCH;

  /** In one transition, so that the field never shows an older text in between. */
  const store = (next: ToolSearch, replace = false) =>
    startTransition(() => {
      setTyped(null);
      const address = writeToolSearch(search, next);
      if (address !== writeToolSearch(search, stored)) void navigate({ search: address }, { replace });
    });
  const storeTyped = () => typed !== null && store({ ...stored, q: typed }, stored.q !== '');

  // Keeps what was typed before hydration.
  useLayoutEffect(() => {
    const typedBefore = field.current?.value;
    if (typedBefore) queueMicrotask(() => setTyped(typedBefore));
  }, [field]);
  useEffect(() => {
    if (typed === null || !isHydrated) return;
    const timer = setTimeout(storeTyped, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  });

  return {
    isHydrated,
    q: typed ?? stored.q,
    sort: stored.sort,
    type: setTyped,
    storeTyped,
    find: (q: string) => store({ ...stored, q }),
    sortBy: (sort: string) => store({ q: typed ?? stored.q, sort }),
    showAll: () => {
      store(NO_SEARCH);
      field.current?.focus();
    },
  };
}
