import { Type } from 'typebox';
import type { FastifyRequest } from 'fastify';
import { Id, Order, OrderCounts, PriceOffer, RefundDraft, ShipmentDraft } from '../../src/contract/entities';
import type { Deps } from '../deps';
import type { App } from '../http/fastify';
import { idempotencyKeyOf } from '../http/idempotencyKeys';
import { countByStatus } from '../orders/orderPages';
import { requireOrder } from '../orders/orderQueries';
import { offerPrice } from '../holds/offerPrice';
import { correctShipment, markShipped } from '../orders/shipments';
import { requestRefund } from '../payments/refunds';

const ById = Type.Object({ id: Id });

export function adminOrderRoutes(app: App, deps: Deps): void {
  const { db, access } = deps;
  const onRequest = access.requireAdmin;
  const orderOf = ({ user }: FastifyRequest, id: string) => requireOrder(db, user, id);

  app.get(
    '/order/counts',
    {
      onRequest,
      schema: { summary: 'Counts the orders of each status. Admins only.', response: { 200: OrderCounts } },
    },
    () => countByStatus(db),
  );

  app.post(
    '/order/:id/shipment',
    {
      onRequest,
      schema: {
        summary:
          'Marks a paid order as shipped. Answers order_not_paid for any other order, and order_disputed without despiteDispute. Sending the same shipment again changes nothing. Admins only.',
        params: ById,
        body: ShipmentDraft,
        response: { 201: Order },
      },
    },
    async (request, reply) => {
      await markShipped(deps, request.user, request.params.id, request.body);
      return reply.code(201).send(await orderOf(request, request.params.id));
    },
  );

  app.put(
    '/order/:id/shipment',
    {
      onRequest,
      schema: {
        summary: 'Corrects the shipment of a shipped order, and emails the customer again. Admins only.',
        params: ById,
        body: ShipmentDraft,
        response: { 200: Order },
      },
    },
    async (request) => {
      await correctShipment(deps, request.user, request.params.id, request.body, idempotencyKeyOf(request));
      return orderOf(request, request.params.id);
    },
  );

  app.put(
    '/order/:id/price',
    {
      onRequest,
      schema: {
        summary:
          "Prices an unpriced order and holds its stock, or corrects such a price until it is paid. Answers order_priced if the price is the tool's or no longer `was`, out_of_stock, order_paid or payment_in_progress. Admins only.",
        params: ById,
        body: PriceOffer,
        response: { 200: Order },
      },
    },
    async (request) => {
      await offerPrice(deps, request.user, request.params.id, request.body);
      return orderOf(request, request.params.id);
    },
  );

  app.post(
    '/order/:id/refund',
    {
      onRequest,
      schema: {
        summary:
          'Refunds pieces of an order, or without `pieces` all that is left. `restock` is how many of them return to the stock, or whether all do. Sending it again with the same Idempotency-Key changes nothing. Answers order_not_paid, order_refunded, refund_in_progress, order_disputed or payment_of_original. Admins only.',
        params: ById,
        body: RefundDraft,
        response: { 200: Order },
      },
    },
    async (request) => {
      await requestRefund(deps, request.user, request.params.id, request.body, idempotencyKeyOf(request));
      return orderOf(request, request.params.id);
    },
  );
}
