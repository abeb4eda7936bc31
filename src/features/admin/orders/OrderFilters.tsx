import { useEffect, useEffectEvent, useState } from 'react';
import { useCountOrdersByStatusQuery } from '../../../api/apiSlice';
import { MAX_LENGTH } from '../../../contract/limits';
import { SearchField } from '../../../ui/SearchField';
import { useDebouncedValue } from '../../../ui/useDebouncedValue';
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

/**
 * When the URL changes, for example after Back, shows its search text in the search box. If the URL changed because the
 * admin typed, the box may already have newer text, which is kept.
 */
function useSearchText(q: string, search: (text: string) => void) {
  const [typed, setTyped] = useState(q);
  const debounced = useDebouncedValue(typed);
  const [lastQ, setLastQ] = useState(q);
  if (q !== lastQ) {
    setLastQ(q);
    const isCatchingUp = q === debounced && typed.startsWith(q);
    if (!isCatchingUp) setTyped(q);
  }
  const submit = useEffectEvent((text: string) => {
    if (text === typed && text !== q) search(text);
  });
  useEffect(() => submit(debounced), [debounced]);
  return { typed, setTyped };
}

type SearchProps = { q: string; result: string; onSearch: (text: string) => void };

export function OrderSearch({ q, result, onSearch }: SearchProps) {
  const { typed, setTyped } = useSearchText(q, onSearch);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== q) onSearch(typed);
      }}
    >
      <SearchField
        label="Search orders"
        maxLength={MAX_LENGTH.search}
        value={typed}
        onType={setTyped}
        result={q.trim() ? result : ORDER_MESSAGES.searchHint}
      />
    </form>
  );
}
