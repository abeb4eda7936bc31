import { startTransition, useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useHydrated } from '../../ui/useHydrated';
import { NO_SEARCH, readToolSearch, writeToolSearch, type ToolSearch } from './toolSearch';

/** The URL changes this long after the last key press, because Safari refuses more than 100 changes in 30 seconds. */
const URL_DELAY_MS = 400;

/**
 * Keeps the search in the URL. Starting a search adds a history entry, so that Back ends it. Later changes of the text
 * replace this entry. Before hydration, the search is empty, as in the server's HTML.
 */
export function useToolSearch(field: RefObject<HTMLInputElement | null>) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const [typed, setTyped] = useState<string | null>(null);
  const stored = isHydrated ? readToolSearch(search) : NO_SEARCH;

  /**
   * Clears the typed text and changes the URL in a single transition. Otherwise the field would briefly show the old
   * search. The URL is the browser's, because the router may not have rendered the last change yet.
   */
  const store = (change: Partial<ToolSearch>, replace = false) =>
    startTransition(() => {
      setTyped(null);
      const current = readToolSearch(window.location.search);
      const next = { ...current, q: typed ?? current.q, ...change };
      const queryString = writeToolSearch(window.location.search, next);
      if (queryString !== writeToolSearch(window.location.search, current))
        void navigate({ search: queryString }, { replace });
    });
  /** For buttons that disappear when there are results. */
  const storeAndFocus = (change: Partial<ToolSearch>) => {
    store(change);
    field.current?.focus();
  };
  const storeTyped = () => typed !== null && store({}, stored.q !== '');

  // Takes over what the visitor typed into the field before hydration.
  useLayoutEffect(() => {
    const typedBefore = field.current?.value;
    if (typedBefore) queueMicrotask(() => setTyped(typedBefore));
  }, [field]);
  useEffect(() => {
    if (typed === null || !isHydrated) return;
    const timer = setTimeout(storeTyped, URL_DELAY_MS);
    return () => clearTimeout(timer);
  });

  return {
    isHydrated,
    q: typed ?? stored.q,
    sort: stored.sort,
    inStock: stored.inStock,
    type: setTyped,
    storeTyped,
    find: (q: string) => store({ q }),
    findSuggestion: (q: string) => storeAndFocus({ q }),
    sortBy: (sort: string) => store({ sort }),
    toggleInStock: () => store({ inStock: !stored.inStock }),
    showAll: () => storeAndFocus(NO_SEARCH),
  };
}
