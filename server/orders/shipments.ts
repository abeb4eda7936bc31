import { and, eq, sql } from 'drizzle-orm';
import type { ShipmentDraft } from '../../src/contract/entities';
import { safeHref } from '../../src/contract/links';
import type { CallerAccount } from '../auth/access';
import { recordAdminAct } from '../auth/recordAdminAct';
import type { Tx } from '../db/database';
import { adminActs, orders, refunds, shipments } from '../db/schema';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { queueMail } from '../mail/outbox';
import type { OrderContext } from './context';
import { orderNotPaid, orderNotShipped, orderShipped, refundInProgress, shippingRefunded } from './orderProblems';
import { isNotDeleted } from './orderQueries';
import type { OrderRow } from './stock';

type Shipment = Pick<typeof shipments.$inferInsert, 'carrier' | 'tracking' | 'link' | 'note'>;

const shipmentOf = ({ carrier, tracking, link, note }: ShipmentDraft): Shipment => ({
  carrier: carrier.trim(),
  tracking: tracking.trim(),
  link: link === undefined ? null : safeHref(link),
  note: note?.trim() || null,
});

const isSameShipment = (one: Shipment, other: Shipment) =>
  one.carrier === other.carrier &&
  one.tracking === other.tracking &&
  one.link === other.link &&
  one.note === other.note;

/** Locks the order until the transaction ends. A deleted order counts as not found. */
export async function lockOrder(tx: Tx, id: string): Promise<OrderRow> {
  if (!UUID.test(id)) throw orderNotFound();
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), isNotDeleted))
    .for('update');
  if (!order) throw orderNotFound();
  return order;
}

async function lockOrderWithShipment(tx: Tx, id: string) {
  const order = await lockOrder(tx, id);
  const [existing] = await tx.select().from(shipments).where(eq(shipments.orderId, order.id));
  return { order, existing };
}

/**
 * The caller must have locked the order's row, so that no refund starts before the shipment is recorded. Only a refund
 * of the payment that paid for the order prevents the shipment, and not a refund of money that arrived too late.
 */
async function requireShippable(tx: Tx, { id, state, shippedAt }: OrderRow): Promise<void> {
  if (state === 'refunded') throw shippingRefunded();
  if (shippedAt) throw orderShipped();
  if (state !== 'paid') throw orderNotPaid();
  const isRefunding = sql`${refunds.state} <> 'failed' and exists (
    select from payments p where p.intent_id = ${refunds.intentId} and p.outcome = 'paid')`;
  if ((await tx.$count(refunds, and(eq(refunds.orderId, id), isRefunding))) > 0) throw refundInProgress();
}

/** Records that a paid order was shipped. Recording the same shipment again changes nothing. */
export async function markShipped(
  ctx: OrderContext,
  actor: CallerAccount,
  orderId: string,
  draft: ShipmentDraft,
): Promise<void> {
  const shipment = shipmentOf(draft);
  await ctx.db.transaction(async (tx) => {
    const { order, existing } = await lockOrderWithShipment(tx, orderId);
    if (existing && isSameShipment(existing, shipment)) return;
    await requireShippable(tx, order);
    await tx.insert(shipments).values({ ...shipment, orderId: order.id });
    await tx
      .update(orders)
      .set({ shippedAt: sql`now()` })
      .where(eq(orders.id, order.id));
    await recordAdminAct(tx, actor, { act: 'ship order', subject: order.id, detail: shipment });
    await queueMail(tx, 'shipped', order.id);
    await ctx.checkpoint('commit shipment');
  });
}

/** Replaces a wrong carrier, number, link or note, and emails the customer again. */
export async function correctShipment(
  ctx: OrderContext,
  actor: CallerAccount,
  orderId: string,
  draft: ShipmentDraft,
): Promise<void> {
  const shipment = shipmentOf(draft);
  await ctx.db.transaction(async (tx) => {
    const { order, existing } = await lockOrderWithShipment(tx, orderId);
    if (!existing) throw orderNotShipped();
    if (isSameShipment(existing, shipment)) return;
    await tx.update(shipments).set(shipment).where(eq(shipments.orderId, order.id));
    await recordAdminAct(tx, actor, { act: 'correct shipment', subject: order.id, detail: shipment });
    const isCorrection = and(eq(adminActs.subject, order.id), eq(adminActs.act, 'correct shipment'));
    await queueMail(tx, 'shipped', order.id, `${order.id}.${await tx.$count(adminActs, isCorrection)}`);
  });
}
