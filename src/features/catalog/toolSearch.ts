import type { Tool } from '../../contract/entities';
import { hasMinimumInStock } from './toolStock';

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

/** `inStock` leaves out tools of which the stock has less than a minimum order. An empty `family` means all of them. */
export type ToolSearch = { q: string; sort: string; family: string; inStock: boolean };

export const NO_SEARCH: ToolSearch = { q: '', sort: '', family: '', inStock: false };

/** @returns the search, the sort order and the filters in the URL. An unknown sort order counts as the default. */
export function readToolSearch(queryString: string): ToolSearch {
  const params = new URLSearchParams(queryString);
  const sort = params.get('sort');
  return {
    q: params.get('q') ?? '',
    sort: SORTS.find(({ value }) => value === sort)?.value ?? '',
    family: params.get('family') ?? '',
    inStock: params.get('stock') === 'only',
  };
}

/** @returns the query string with this search in it. Its other parameters are kept. */
export function writeToolSearch(queryString: string, { q, sort, family, inStock }: ToolSearch): string {
  const params = new URLSearchParams(queryString);
  for (const [name, value] of [
    ['q', q.trim() && q],
    ['sort', sort],
    ['family', family],
    ['stock', inStock && 'only'],
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
