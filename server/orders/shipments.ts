import { and, eq, sql } from 'drizzle-orm';
import type { ShipmentDraft } from '../../src/contract/entities';
import { safeHref } from '../../src/contract/links';
import type { CallerAccount } from '../auth/access';
import { recordAdminAct } from '../auth/recordAdminAct';
import type { Tx } from '../db/database';
import { adminActs, orders, shipments } from '../db/schema';
import { doOnce, type IdempotentCall } from '../http/idempotencyKeys';
import { queueMail } from '../mail/outbox';
import type { OrderContext } from './context';
import { mayHappen, throwIfRefused } from './mayHappen';
import { orderNotShipped } from './orderProblems';
import { factsOf, orderTransaction, requireFound } from './orderTransaction';

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

async function findShipment(tx: Tx, orderId: string): Promise<Shipment | undefined> {
  const [shipment] = await tx.select().from(shipments).where(eq(shipments.orderId, orderId));
  return shipment;
}

/** Records that a paid order was shipped. Recording the same shipment again changes nothing. */
export async function markShipped(
  ctx: OrderContext,
  actor: CallerAccount,
  orderId: string,
  draft: ShipmentDraft,
): Promise<void> {
  const shipment = shipmentOf(draft);
  const { despiteDispute = false } = draft;
  await orderTransaction(ctx.db, orderId, async (tx, found) => {
    const locked = requireFound(found);
    const { order } = locked;
    const existing = await findShipment(tx, order.id);
    if (existing && isSameShipment(existing, shipment)) return;
    throwIfRefused(mayHappen(factsOf(locked, ctx.now()), { despiteDispute }).ship);
    await tx.insert(shipments).values({ ...shipment, orderId: order.id });
    await tx
      .update(orders)
      .set({ shippedAt: sql`now()` })
      .where(eq(orders.id, order.id));
    await recordAdminAct(tx, actor, {
      act: 'ship order',
      subject: order.id,
      detail: despiteDispute ? { ...shipment, despiteDispute } : shipment,
    });
    await queueMail(tx, 'shipped', order.id);
  });
}

async function replaceShipment(tx: Tx, actor: CallerAccount, orderId: string, shipment: Shipment): Promise<void> {
  await tx.update(shipments).set(shipment).where(eq(shipments.orderId, orderId));
  await recordAdminAct(tx, actor, { act: 'correct shipment', subject: orderId, detail: shipment });
  const isCorrection = and(eq(adminActs.subject, orderId), eq(adminActs.act, 'correct shipment'));
  await queueMail(tx, 'shipped', orderId, `${orderId}.${await tx.$count(adminActs, isCorrection)}`);
}

/**
 * Replaces a wrong carrier, number, link or note, and emails the customer again.
 * @param key the idempotency key. A request that is sent again does not undo a correction that was made in between.
 */
export async function correctShipment(
  ctx: OrderContext,
  actor: CallerAccount,
  orderId: string,
  draft: ShipmentDraft,
  key: string | undefined,
): Promise<void> {
  const shipment = shipmentOf(draft);
  const body = { id: orderId, ...draft };
  const call: IdempotentCall = { userId: actor.id, call: 'PUT /order/shipment', key, body };
  await orderTransaction(ctx.db, orderId, async (tx, found) => {
    const { order } = requireFound(found);
    const existing = await findShipment(tx, order.id);
    if (!existing) throw orderNotShipped();
    await doOnce(tx, call, async () => {
      if (!isSameShipment(existing, shipment)) await replaceShipment(tx, actor, order.id, shipment);
      return {};
    });
  });
}
