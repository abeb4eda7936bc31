import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { orders, paymentAttempts, payments, refunds } from '../db/schema';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import type { OrderFacts } from './mayHappen';
import type { OrderRow } from './stock';

/** An order with everything that belongs to it and decides what may happen to it. */
export interface LockedOrder {
  order: OrderRow;
  /** The payment that paid for the order, not one that arrived too late. */
  payment: typeof payments.$inferSelect | null;
  /** The refund of that payment. */
  refund: typeof refunds.$inferSelect | null;
  /** The attempt that can still bring money. */
  attempt: typeof paymentAttempts.$inferSelect | null;
}

/**
 * Locks an order, unless it does not exist, until the transaction ends, and then reads it. Reading in the same statement could return an old
 * payment or refund after waiting for the lock.
 *
 * To prevent deadlocks, all transactions lock rows in this order: the customer, the order, its payment, its refund, the tool.
 */
export async function lockOrderIfExists(tx: Tx, id: string): Promise<LockedOrder | undefined> {
  await tx.execute(sql`select from orders where id = ${id} for update`);
  const [found] = await tx
    .select({
      order: getTableColumns(orders),
      payment: getTableColumns(payments),
      refund: getTableColumns(refunds),
      attempt: getTableColumns(paymentAttempts),
    })
    .from(orders)
    .leftJoin(payments, and(eq(payments.orderId, orders.id), sql`${payments.outcome} = 'paid'`))
    .leftJoin(refunds, eq(refunds.intentId, payments.intentId))
    .leftJoin(paymentAttempts, and(eq(paymentAttempts.orderId, orders.id), sql`${paymentAttempts.state} = 'open'`))
    .where(eq(orders.id, id));
  return found;
}

/**
 * @param ownerId undefined if the caller may change everyone's orders
 * @throws if the order does not exist, is deleted or belongs to someone else
 */
export async function lockOrder(tx: Tx, id: string, ownerId?: string): Promise<LockedOrder> {
  const found = UUID.test(id) ? await lockOrderIfExists(tx, id) : undefined;
  if (!found || found.order.state === 'deleted') throw orderNotFound();
  if (ownerId !== undefined && found.order.ownerId !== ownerId) throw orderNotFound();
  return found;
}

export const factsOf = ({ order, payment, refund }: LockedOrder, now: Date): OrderFacts => ({
  state: order.state,
  isShipped: order.shippedAt !== null,
  isPaymentInProgress: order.deletingUntil !== null && order.deletingUntil > now,
  refund: refund?.state,
  isReturned: Boolean(payment?.returnedAt),
  dispute: order.dispute,
});
