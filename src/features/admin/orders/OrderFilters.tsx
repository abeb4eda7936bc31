import { useCountOrdersByStatusQuery, useDownloadOrdersMutation } from '../../../api/apiSlice';
import { MAX_LENGTH } from '../../../contract/limits';
import { notifyFailure } from '../../../feedback/notifyFailure';
import { Button } from '../../../ui/Button';
import { SearchField } from '../../../ui/SearchField';
import { useSearchText } from '../../../ui/useSearchText';
import { formatFilterCount, FILTERS, type OrderFilterName } from './orderStatus';
import { ORDER_MESSAGES } from './orderMessages';
import { Count, FilterLink, FilterList } from './ordersStyle';
import { buildOrderSearchParams } from './useOrderSearchParams';

type FiltersProps = { filter: OrderFilterName; q: string; total: number };

export function StatusFilters({ filter, q, total }: FiltersProps) {
  const { data: counts } = useCountOrdersByStatusQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <nav aria-label="Orders by status">
      <FilterList>
        {FILTERS.map(({ name, label }) => (
          <li key={name}>
            <FilterLink to={buildOrderSearchParams(name, q)} aria-current={name === filter ? 'page' : undefined}>
              {label} {counts && <Count>{formatFilterCount(name, counts, total)}</Count>}
            </FilterLink>
          </li>
        ))}
      </FilterList>
    </nav>
  );
}

type SearchProps = { q: string; result: string; onSearch: (text: string) => void };

export function OrderSearch({ q, result, onSearch }: SearchProps) {
  const { text, type, storeTyped } = useSearchText(q, (typed) => typed !== q && onSearch(typed));
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        storeTyped();
      }}
    >
      <SearchField
        label="Search orders"
        maxLength={MAX_LENGTH.search}
        value={text}
        onType={type}
        result={q.trim() ? result : ORDER_MESSAGES.searchHint}
      />
    </form>
  );
}

/** Downloads the orders that match the filter and the search as CSV. */
export function DownloadOrders({ filter, q }: Pick<FiltersProps, 'filter' | 'q'>) {
  const [download, { isLoading }] = useDownloadOrdersMutation();
  const query = { status: filter === 'all' ? undefined : filter, q: q.trim() || undefined };
  return (
    <div>
      <Button variant="quiet" busy={isLoading} onClick={() => void download(query).unwrap().catch(notifyFailure)}>
        Download
      </Button>
    </div>
  );
}
