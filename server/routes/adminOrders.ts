import { Type, type Static } from 'typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  Id,
  Order,
  OrderCounts,
  OrderStatus,
  PriceOffer,
  RefundDraft,
  ShipmentDraft,
} from '../../src/contract/entities';
import { MAX_LENGTH, MAX_ORDERS_A_PAGE, ORDERS_A_PAGE } from '../../src/contract/limits';
import type { Deps } from '../deps';
import type { App } from '../http/fastify';
import { orderNotFound } from '../http/problems';
import { countByStatus, listOrderPage } from '../orders/orderPages';
import { countOrders, findOrder } from '../orders/orderQueries';
import { offerPrice } from '../orders/offerPrice';
import { markShipped } from '../orders/shipments';
import { requestRefund } from '../payments/refunds';

const ById = Type.Object({ id: Id });

/** With any of these, GET /order answers one page. Query strings are text, so numbers are patterns. */
export const PageQuery = Type.Object({
  status: Type.Optional(OrderStatus),
  q: Type.Optional(Type.String({ maxLength: MAX_LENGTH.search })),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]|[1-9][0-9]|100)$' })),
  after: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
});
export type PageQuery = Static<typeof PageQuery>;

export const asksForPage = ({ status, q, limit, after }: PageQuery) =>
  [status, q, limit, after].some((value) => value !== undefined);

function nextLink({ status, q, limit }: PageQuery, next: number): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ status, q, limit })) if (value !== undefined) params.set(name, value);
  params.set('after', String(next));
  return `</order?${params}>; rel="next"`;
}

export async function sendOrderPage({ db }: Deps, query: PageQuery, reply: FastifyReply) {
  const { status, q, limit, after } = query;
  const page = await listOrderPage(db, {
    status,
    q,
    limit: limit === undefined ? ORDERS_A_PAGE : Math.min(Number(limit), MAX_ORDERS_A_PAGE),
    after: after === undefined ? undefined : Number(after),
  });
  reply.header('x-total-count', await countOrders(db)).header('vary', 'Accept, Prefer');
  if (page.next !== undefined) reply.header('link', nextLink(query, page.next));
  return reply.send(page.orders);
}

export function adminOrderRoutes(app: App, deps: Deps): void {
  const { db, access } = deps;
  const onRequest = access.requireAdmin;
  const orderOf = async ({ user }: FastifyRequest, id: string) => {
    const order = await findOrder(db, user, id);
    if (!order) throw orderNotFound();
    return order;
  };

  app.get('/order/counts', { onRequest, schema: { response: { 200: OrderCounts } } }, () => countByStatus(db));

  app.post(
    '/order/:id/shipment',
    { onRequest, schema: { params: ById, body: ShipmentDraft, response: { 201: Order } } },
    async (request, reply) => {
      await markShipped(deps, request.user, request.params.id, request.body);
      return reply.code(201).send(await orderOf(request, request.params.id));
    },
  );

  app.put(
    '/order/:id/price',
    { onRequest, schema: { params: ById, body: PriceOffer, response: { 200: Order } } },
    async (request) => {
      await offerPrice(deps, request.user, request.params.id, request.body.price);
      return orderOf(request, request.params.id);
    },
  );

  app.post(
    '/order/:id/refund',
    { onRequest, schema: { params: ById, body: RefundDraft, response: { 200: Order } } },
    async (request) => {
      await requestRefund(deps, request.user, request.params.id, request.body);
      return orderOf(request, request.params.id);
    },
  );
}
