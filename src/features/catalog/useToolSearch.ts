import { useLayoutEffect, useState, type RefObject } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { openToolIn } from '../../contract/toolPath';
import { useHydrated } from '../../ui/useHydrated';
import { useSearchText } from '../../ui/useSearchText';
import { NO_SEARCH, readToolSearch, writeToolSearch, type ToolSearch } from './toolSearch';

/** @returns the query string of the list's URL. While a tool is open, the list is hidden and keeps its own. */
function useListSearch(): string {
  const { search } = useLocation();
  const [listSearch, setListSearch] = useState(search);
  if (search !== listSearch && openToolIn(search) === null) setListSearch(search);
  return listSearch;
}

/**
 * Keeps the search in the URL. Starting a search adds a history entry, so that Back ends it. Later changes of the text
 * replace this entry. Before hydration, the search is empty, as in the server's HTML.
 */
export function useToolSearch(field: RefObject<HTMLInputElement | null>) {
  const search = useListSearch();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const stored = isHydrated ? readToolSearch(search) : NO_SEARCH;

  /** The URL is the browser's, because the router may not have rendered the last change yet. */
  const changeUrl = (change: Partial<ToolSearch>, replace = false) => {
    const current = readToolSearch(window.location.search);
    const queryString = writeToolSearch(window.location.search, { ...current, ...change });
    if (queryString !== writeToolSearch(window.location.search, current))
      void navigate({ search: queryString }, { replace });
  };
  const { text, type, storeTyped, leaveToUrl } = useSearchText(
    stored.q,
    (q) => changeUrl({ q }, stored.q !== ''),
    isHydrated,
  );
  const store = (change: Partial<ToolSearch>) =>
    leaveToUrl((typed) => changeUrl({ ...(typed !== null && { q: typed }), ...change }));
  /** For buttons that disappear when there are results. */
  const storeAndFocus = (change: Partial<ToolSearch>) => {
    store(change);
    field.current?.focus();
  };

  // Takes over what the visitor typed into the field before hydration.
  useLayoutEffect(() => {
    const typedBefore = field.current?.value;
    if (typedBefore && typedBefore !== text) queueMicrotask(() => type(typedBefore));
  }, [field, type, text]);

  return {
    isHydrated,
    q: text,
    sort: stored.sort,
    family: stored.family,
    inStock: stored.inStock,
    type,
    storeTyped,
    findSuggestion: (q: string) => storeAndFocus({ q }),
    sortBy: (sort: string) => store({ sort }),
    toggleFamily: (family: string) => store({ family: family === stored.family ? '' : family }),
    toggleInStock: () => store({ inStock: !stored.inStock }),
    showAll: () => storeAndFocus(NO_SEARCH),
  };
}
