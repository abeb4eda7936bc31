import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { parseFilter, type OrderFilterName } from './orderStatus';

/** @returns a query string, for example `?status=paid&q=ann` */
export function buildOrderSearchParams(filter: OrderFilterName, q: string): string {
  const params = new URLSearchParams({ status: filter });
  if (q.trim()) params.set('q', q);
  return `?${params}`;
}

/**
 * Keeps the filter and the search in the URL, so that a reload, a shared link and the Back button show the same list.
 */
export function useOrderSearchParams() {
  const [params, setParams] = useSearchParams();
  const filter = parseFilter(params.get('status'));
  const q = params.get('q') ?? '';
  /**
   * Starting a search adds a history entry. Later changes of the text replace this entry, so that Back leaves the
   * search.
   */
  const search = useCallback(
    (text: string) => setParams(buildOrderSearchParams(filter, text), { replace: q !== '' && text.trim() !== '' }),
    [setParams, filter, q],
  );
  return { filter, q, search };
}
