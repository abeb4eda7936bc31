import { Type, type Static } from 'typebox';
import { OrderStatus } from '../../src/contract/entities';
import { MAX_LENGTH, MAX_ORDERS_PER_PAGE, ORDERS_PER_PAGE } from '../../src/contract/limits';
import type { PageRequest } from './orderPages';

const cursor = Type.String({ pattern: '^[0-9]{1,15}$' });

/**
 * The parameters of a page of orders. Without any of them, GET /order returns the complete list. Numbers are checked by
 * patterns, because query strings are text.
 */
export const PageQuery = Type.Object({
  status: Type.Optional(OrderStatus),
  q: Type.Optional(Type.String({ maxLength: MAX_LENGTH.search })),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]|[1-9][0-9]|100)$' })),
  after: Type.Optional(cursor),
  /** Walks to newer orders instead, oldest first. */
  since: Type.Optional(cursor),
});
export type PageQuery = Static<typeof PageQuery>;

export const hasPageQuery = ({ status, q, limit, after, since }: PageQuery) =>
  [status, q, limit, after, since].some((value) => value !== undefined);

/** @returns the `Link` header that points to the next page */
export function nextLink({ status, q, limit, since }: PageQuery, next: number): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ status, q, limit })) if (value !== undefined) params.set(name, value);
  params.set(since === undefined ? 'after' : 'since', String(next));
  return `</order?${params}>; rel="next"`;
}

export const toPageRequest = ({ status, q, limit, after, since }: PageQuery): PageRequest => ({
  status,
  q,
  limit: limit === undefined ? ORDERS_PER_PAGE : Math.min(Number(limit), MAX_ORDERS_PER_PAGE),
  after: after === undefined ? undefined : Number(after),
  since: since === undefined ? undefined : Number(since),
});
