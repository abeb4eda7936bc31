import { lazy, Suspense, useEffect, useMemo, useRef, type ComponentType } from 'react';
import type { Tool } from '../../contract/entities';
import { TOOLS_IN_HTML } from '../../contract/limits';
import { putNameMatchesFirst } from '../../contract/searchText';
import { formatShownCount } from '../../contract/formatCount';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/fieldStyle';
import { Notice } from '../../ui/Notice';
import { Spinner } from '../../ui/Spinner';
import { useToolMatcher } from '../../ui/useToolMatcher';
import { Cards } from './Cards';
import { BackToTop, Count, FamilyCount, FilterButton, Filters, Finder, FoundTools, TopRail } from './finderStyle';
import type { SearchSuggestionProps } from './SearchSuggestion';
import { ToolCard } from './ToolCard';
import { familiesOf, familyOf } from './toolFamilies';
import { SORTS, sortTools, type ToolSearch } from './toolSearch';
import { hasMinimumInStock } from './toolStock';
import { useToolSearch } from './useToolSearch';

const renderCard = (tool: Tool) => <ToolCard key={tool._id} tool={tool} />;

/**
 * The server's HTML ignores the search and the sort order in the URL. If there is one, public/theme.js hides the list.
 * This hook shows the list once they are applied, and scrolls to it unless the visitor or the browser has scrolled.
 */
function useRevealWhen(isSearched: boolean) {
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (!isSearched || dataset['finding'] === undefined) return;
    delete dataset['finding'];
    if (scrollY === 0) document.getElementById('tools')!.scrollIntoView();
  }, [isSearched]);
}

/** If the results begin in the lower part of the screen, a search scrolls them up. */
const LOWEST_VISIBLE_START = 0.6;

/** Scrolls to the search field when the visitor searches or filters and could not see the results. */
function useResultsInView(search: string, isHydrated: boolean) {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (!isHydrated) return;
    const isChanged = shown.current !== undefined && shown.current !== search;
    shown.current = search;
    if (isChanged && list.current!.getBoundingClientRect().top > innerHeight * LOWEST_VISIBLE_START)
      document.getElementById('tools')!.scrollIntoView();
  }, [search, isHydrated]);
  return list;
}

type FilterProps = { tools: Tool[]; search: ReturnType<typeof useToolSearch>; mayHaveMore: boolean };

/**
 * The first button leaves out tools that are not in stock. It is always there, so that nothing moves when the rest of a
 * long list is loaded. Each other button shows one family of tools. Pressing a button again ends its effect.
 */
function FilterButtons({ tools, search, mayHaveMore }: FilterProps) {
  const families = useMemo(() => familiesOf(tools), [tools]);
  return (
    <Filters role="group" aria-label="Show only">
      <FilterButton type="button" aria-pressed={search.inStock} onClick={search.toggleInStock}>
        In stock
      </FilterButton>
      {families.map((family) => (
        <FilterButton
          key={family}
          type="button"
          aria-pressed={search.family === family}
          onClick={() => search.toggleFamily(family)}
        >
          {family} <FamilyCount>{!mayHaveMore && tools.filter((tool) => familyOf(tool) === family).length}</FamilyCount>
        </FilterButton>
      ))}
    </Filters>
  );
}

/** In a chunk of its own. If that does not load, for example offline, there is no suggestion. */
const SearchSuggestion = lazy<ComponentType<SearchSuggestionProps>>(() =>
  import(/* webpackChunkName: "search-suggestion" */ './SearchSuggestion').catch(() => ({
    default: ({ children }) => children,
  })),
);

const isShownIn =
  ({ family, inStock }: Pick<ToolSearch, 'family' | 'inStock'>) =>
  (tool: Tool) =>
    (!family || familyOf(tool) === family) && (!inStock || hasMinimumInStock(tool));

type NothingFoundProps = { tools: Tool[]; searched: string; search: ReturnType<typeof useToolSearch> };

function NothingFound({ tools, searched, search }: NothingFoundProps) {
  const title = `No tool${search.family && ` in ${search.family}`}${search.inStock ? ' in stock' : ''}${searched && ` matches “${searched}”`}`;
  const notice = (
    <Notice title={title}>
      {searched && <p>Try fewer or different words.</p>}
      <Button variant="quiet" onClick={search.showAll}>
        Show all tools
      </Button>
    </Notice>
  );
  return (
    <Suspense fallback={notice}>
      <SearchSuggestion
        tools={tools.filter(isShownIn(search))}
        searched={searched}
        title={title}
        card={renderCard}
        onPick={search.findSuggestion}
      >
        {notice}
      </SearchSuggestion>
    </Suspense>
  );
}

/** Only a list with more tools than this has a link back to the top. */
const LONG_LIST = 6;

type ToolFinderProps = { tools: Tool[]; isFetching: boolean };

export function ToolFinder({ tools, isFetching }: ToolFinderProps) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const search = useToolSearch(field);
  const { q, sort, family, inStock } = search;
  const { searched, matches } = useToolMatcher(tools, q);
  const found = useMemo(() => {
    const isShown = isShownIn({ family, inStock });
    const matching = tools.filter((tool) => matches(tool) && isShown(tool));
    return sortTools(putNameMatchesFirst(matching, searched), sort);
  }, [tools, matches, searched, sort, family, inStock]);
  const isSearching = searched.trim() !== '' || family !== '' || inStock;
  /** The server's HTML contains only the first tools of a long list. More of them may still be loading. */
  const mayHaveMore = isFetching && tools.length === TOOLS_IN_HTML;
  useRevealWhen(search.isHydrated && searched === q);
  const listName = `${sort} ${family} ${inStock} ${searched}`;
  const results = useResultsInView(listName, search.isHydrated);

  return (
    <>
      <Finder>
        <Field
          ref={field}
          label="Find a tool"
          type="search"
          autoComplete="off"
          value={q}
          onChange={(event) => search.type(event.target.value)}
          onBlur={search.storeTyped}
        />
        <Field label="Sort by">
          {(control) => (
            <Select {...control} value={sort} onChange={(event) => search.sortBy(event.target.value)}>
              {SORTS.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <FilterButtons tools={tools} search={search} mayHaveMore={mayHaveMore} />
        <Count role="status">
          {isSearching &&
            !mayHaveMore &&
            (found.length ? formatShownCount(found.length, tools.length, 'tool') : 'No match')}
        </Count>
      </Finder>
      <FoundTools ref={results}>
        {found.length > 0 ? (
          <Cards rows={found} card={renderCard} list={listName} />
        ) : mayHaveMore ? (
          <Spinner label="Loading the tools" />
        ) : (
          <NothingFound tools={tools} searched={searched.trim()} search={search} />
        )}
        {found.length > LONG_LIST && (
          <TopRail>
            <BackToTop href="#main">Back to top</BackToTop>
          </TopRail>
        )}
      </FoundTools>
    </>
  );
}
