import type { Tool } from '../../contract/entities';

const hasMinimumInStock = ({ availableQuantity, minimumOrderQuantity }: Tool) =>
  availableQuantity >= minimumOrderQuantity;

/** `value` is the value of `sort` in the URL. */
export const SORTS = [
  { value: '', label: 'As listed', compare: null },
  { value: 'price', label: 'Price, low to high', compare: (a: Tool, b: Tool) => a.price - b.price },
  { value: 'price-down', label: 'Price, high to low', compare: (a: Tool, b: Tool) => b.price - a.price },
  {
    value: 'stock',
    label: 'In stock first',
    compare: (a: Tool, b: Tool) => Number(hasMinimumInStock(b)) - Number(hasMinimumInStock(a)),
  },
] as const;

export type ToolSearch = { q: string; sort: string };

export const NO_SEARCH: ToolSearch = { q: '', sort: '' };

/** @returns the search and the sort order in the URL. An unknown sort order counts as the default. */
export function readToolSearch(queryString: string): ToolSearch {
  const params = new URLSearchParams(queryString);
  const sort = params.get('sort');
  return { q: params.get('q') ?? '', sort: SORTS.find(({ value }) => value === sort)?.value ?? '' };
}

/** @returns the query string with this search in it. Its other parameters are kept. */
export function writeToolSearch(queryString: string, { q, sort }: ToolSearch): string {
  const params = new URLSearchParams(queryString);
  for (const [name, value] of [
    ['q', q.trim() && q],
    ['sort', sort],
  ] as const) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  return params.toString();
}

export function sortTools(tools: Tool[], sort: string): Tool[] {
  const compare = SORTS.find(({ value }) => value === sort)?.compare;
  return compare ? [...tools].sort(compare) : tools;
}
