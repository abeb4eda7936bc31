import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { parseFilter, type OrderFilterName } from './orderStatus';

/** The query string of a filter and a search, for example `?status=paid&q=ann`. */
export function orderSearchParams(filter: OrderFilterName, q: string): string {
  const params = new URLSearchParams({ status: filter });
  if (q.trim()) params.set('q', q);
  return `?${params}`;
}

/** The filter and the search are in the URL, so that a reload, a link and the back button keep them. */
export function useOrderAddress() {
  const [params, setParams] = useSearchParams();
  const filter = parseFilter(params.get('status'));
  const q = params.get('q') ?? '';
  /** A new search adds a history entry. Further words of the same search replace it. */
  const search = useCallback(
    (text: string) => setParams(orderSearchParams(filter, text), { replace: q !== '' && text.trim() !== '' }),
    [setParams, filter, q],
  );
  return { filter, q, search };
}
