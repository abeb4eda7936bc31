import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Email, Id, Order, OrderDraft, PlacedOrder } from '../../src/contract/entities';
import { ownsEmail } from '../auth/access';
import type { Deps } from '../deps';
import { normalizeEmail } from '../auth/emailAddress';
import { invalidField } from '../http/problems';
import { deleteOrder } from '../holds/releaseOrder';
import { createCompletePosition } from '../orders/completePosition';
import { listNewerOrders, listOrderPage, streamOrderSheet } from '../orders/orderPages';
import { hasPageQuery, nextLink, PageQuery, toPageRequest } from '../orders/orderPageQuery';
import { createOrderCount } from '../orders/orderCount';
import { countOrders, requireOrder, streamOrders, type OrderSelection } from '../orders/orderQueries';
import { createListQueue } from '../orders/listQueue';
import { placeOrder } from '../orders/placeOrder';
import type { App } from '../http/fastify';
import { CsvFile, sendCsv } from '../http/csvWriter';
import { idempotencyKeyOf } from '../http/idempotencyKeys';
import { limitCallsPerMinute } from '../http/rateLimit';

const ById = Type.Object({ id: Id });
const ListQuery = Type.Object({ email: Type.Optional(Email), ...PageQuery.properties });

const wantsCountOnly = ({ headers }: FastifyRequest) => /(^|[,;\s])return=minimal\b/i.test(String(headers['prefer']));

export function orderRoutes(app: App, deps: Deps): void {
  const { db, access, limit } = deps;
  const waitForTurn = createListQueue();
  const countAllOrders = createOrderCount(db);
  const readCompletePosition = createCompletePosition(db);
  const limitLists = limitCallsPerMinute(limit, 'list of orders');
  /** Fastify parses a repeated `email` into an array, which counts as no email. */
  const emailOf = (request: FastifyRequest) => {
    const { email } = request.query as { email?: unknown };
    return typeof email === 'string' ? email : undefined;
  };

  const isForPage = (request: FastifyRequest) =>
    emailOf(request) === undefined && hasPageQuery(request.query as PageQuery);
  /** Limits only complete lists. A page is quick to read, and an admin who scrolls reads many pages. */
  const limitCompleteLists = async (request: FastifyRequest) => {
    if (!isForPage(request)) await limitLists(request);
  };

  /** The caller's own orders, or those that show an email to an admin. */
  function selectionOf(request: FastifyRequest): OrderSelection | undefined {
    const email = emailOf(request);
    if (email === undefined) return undefined;
    return ownsEmail(request.user, email) ? { ownerId: request.user.id } : { email: normalizeEmail(email) ?? '' };
  }

  async function sendPage(query: PageQuery, reply: FastifyReply) {
    const pageRequest = toPageRequest(query);
    if (query.since !== undefined && (query.q !== undefined || query.after !== undefined))
      throw invalidField('since', 'cannot be combined with q or after.');
    const page =
      query.since === undefined
        ? await listOrderPage(db, pageRequest)
        : await listNewerOrders(db, pageRequest, await readCompletePosition());
    reply.header('x-total-count', await countAllOrders()).header('vary', 'Accept, Prefer');
    if (page.next !== undefined) reply.header('link', nextLink(query, page.next));
    return reply.send(page.orders);
  }

  async function sendList(request: FastifyRequest, reply: FastifyReply) {
    if (isForPage(request)) return sendPage(request.query as PageQuery, reply);
    if (!(await waitForTurn(request.user.id, reply))) return reply;
    await deps.checkpoint('read list');
    const selection = selectionOf(request);
    const count = selection ? await countOrders(db, selection) : await countAllOrders();
    reply.header('x-total-count', count).header('vary', 'Accept, Prefer');
    reply.type('application/json; charset=utf-8');
    if (wantsCountOnly(request)) return reply.header('preference-applied', 'return=minimal').send('[]');
    return reply.send(await streamOrders(db, selection ?? {}));
  }

  app.post(
    '/order',
    {
      onRequest: [access.requireUser, limitCallsPerMinute(limit, 'order')],
      schema: {
        summary: 'Places an order. Sending it again with the same Idempotency-Key places no second order.',
        body: OrderDraft,
        response: { 201: PlacedOrder },
      },
    },
    async (request, reply) => {
      const placed = await placeOrder(deps, request.user, request.body, idempotencyKeyOf(request));
      request.orderId = placed._id;
      return reply.code(201).send(placed);
    },
  );

  app.get(
    '/order',
    {
      onRequest: [access.requireSelfOrAdmin(emailOf), limitCompleteLists],
      schema: {
        summary:
          "Lists the caller's orders. Admins can list all orders, page by page, and filter them by status and words. With `since`, newer orders follow, oldest first, and none is skipped.",
        querystring: ListQuery,
        response: { 200: Type.Array(Order) },
      },
    },
    sendList,
  );

  app.get(
    '/order.csv',
    {
      onRequest: [access.requireAdmin, limitLists],
      schema: {
        summary:
          'Returns all orders with these status and words as CSV, newest first, with their refunds. Admins only.',
        querystring: Type.Pick(PageQuery, ['status', 'q']),
        produces: ['text/csv'],
        response: { 200: CsvFile },
      },
    },
    async (request, reply) => {
      if (!(await waitForTurn(request.user.id, reply))) return reply;
      return sendCsv(reply, 'orders.csv', streamOrderSheet(db, request.query));
    },
  );

  app.get(
    '/order/:id',
    {
      onRequest: access.requireUser,
      schema: {
        summary: 'Returns an order with its shipping log. For its owner and for admins.',
        params: ById,
        response: { 200: Order },
      },
    },
    (request) => requireOrder(db, request.user, request.params.id),
  );

  app.delete(
    '/order/:id',
    {
      onRequest: [access.requireUser, limitCallsPerMinute(limit, 'delete order')],
      schema: {
        summary: 'Deletes an order that is not paid. For its owner and for admins.',
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteOrder(deps, request.user, request.params.id);
      return reply.code(204).send(null);
    },
  );
}
