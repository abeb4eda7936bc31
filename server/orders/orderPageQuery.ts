import { Type, type Static } from 'typebox';
import { OrderStatus } from '../../src/contract/entities';
import { MAX_LENGTH, MAX_ORDERS_PER_PAGE, ORDERS_PER_PAGE } from '../../src/contract/limits';
import type { PageRequest } from './orderPages';

/**
 * The parameters of a page of orders. Without any of them, GET /order returns the complete list. Numbers are checked by
 * patterns, because query strings are text.
 */
export const PageQuery = Type.Object({
  status: Type.Optional(OrderStatus),
  q: Type.Optional(Type.String({ maxLength: MAX_LENGTH.search })),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]|[1-9][0-9]|100)$' })),
  after: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
});
export type PageQuery = Static<typeof PageQuery>;

export const hasPageQuery = ({ status, q, limit, after }: PageQuery) =>
  [status, q, limit, after].some((value) => value !== undefined);

/** @returns the `Link` header that points to the next page */
export function nextLink({ status, q, limit }: PageQuery, next: number): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ status, q, limit })) if (value !== undefined) params.set(name, value);
  params.set('after', String(next));
  return `</order?${params}>; rel="next"`;
}

export const toPageRequest = ({ status, q, limit, after }: PageQuery): PageRequest => ({
  status,
  q,
  limit: limit === undefined ? ORDERS_PER_PAGE : Math.min(Number(limit), MAX_ORDERS_PER_PAGE),
  after: after === undefined ? undefined : Number(after),
});
