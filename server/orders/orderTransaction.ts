import { and, asc, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { lockedTransaction, type AtCommit } from '../db/lockedTransaction';
import { orders, paymentAttempts, payments, type refunds } from '../db/schema';
import { sumPieces } from '../../src/contract/refunds';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import type { OrderFacts } from './mayHappen';
import type { OrderRow } from './stock';

type PaymentOfOrder = Pick<
  typeof payments.$inferSelect,
  'intentId' | 'amountCents' | 'currency' | 'returnedAt' | 'ofOriginal'
>;

type RefundColumns = Pick<typeof refunds.$inferSelect, 'id' | 'state' | 'amountCents' | 'pieces' | 'restockPieces'>;
type OrderRefund = RefundColumns & {
  /** When its pieces returned to the stock. */
  doneAt: Date | string | null;
};

/** An order with everything that belongs to it and decides what may happen to it. */
export interface LockedOrder {
  order: OrderRow;
  /** The payment that paid for the order, not one that arrived too late. */
  payment: PaymentOfOrder | null;
  /** The refunds of that payment. */
  refunds: OrderRefund[];
  /** The newest try to pay. Only this one can be open. */
  lastAttempt: typeof paymentAttempts.$inferSelect | null;
}

const refundsOfPayment = sql<OrderRefund[]>`(
  select coalesce(json_agg(json_build_object('id', r.id, 'state', r.state, 'amountCents', r.amount_cents,
    'pieces', r.pieces, 'restockPieces', r.restock_pieces, 'doneAt', r.done_at)), '[]')
  from refunds r where r.payment_id = ${payments.intentId})`;
const isLastAttempt = sql`${paymentAttempts.n} = (
  select max(last.n) from payment_attempts last where last.order_id = ${orders.id})`;

function readOrders(tx: Db | Tx, condition: SQL): Promise<LockedOrder[]> {
  const { intentId, amountCents, currency, returnedAt, ofOriginal } = getTableColumns(payments);
  return tx
    .select({
      order: getTableColumns(orders),
      payment: { intentId, amountCents, currency, returnedAt, ofOriginal },
      refunds: refundsOfPayment,
      lastAttempt: getTableColumns(paymentAttempts),
    })
    .from(orders)
    .leftJoin(payments, and(eq(payments.orderId, orders.id), sql`${payments.outcome} = 'paid'`))
    .leftJoin(paymentAttempts, and(eq(paymentAttempts.orderId, orders.id), isLastAttempt))
    .where(condition);
}

/** Whoever changes the order must read it in an `orderTransaction`. */
export async function readOrder(tx: Db | Tx, id: string): Promise<LockedOrder | undefined> {
  const [found] = await readOrders(tx, eq(orders.id, id));
  return found;
}

/** Locks all orders of a customer that are not deleted. The transaction must have locked the customer before. */
export async function lockOrdersOf(tx: Tx, ownerId: string): Promise<LockedOrder[]> {
  const areTheirs = sql`${orders.ownerId} = ${ownerId} and ${orders.state} <> 'deleted'`;
  await tx.select({ id: orders.id }).from(orders).where(areTheirs).orderBy(asc(orders.id)).for('update');
  return readOrders(tx, areTheirs);
}

/**
 * Runs work in a transaction that has locked the order and then read it. Everything that changes an order's state, stock
 * or money is written in such a transaction. A single statement that locks and reads could, after waiting for the lock,
 * return an old payment or refund.
 * @param id null for money that belongs to no order
 * @param customerId also locks the customer, for work that checks the customer's limits
 */
export const orderTransaction = <T>(
  db: Db,
  id: string | null,
  work: (tx: Tx, locked: LockedOrder | undefined, atCommit: AtCommit) => Promise<T>,
  customerId?: string,
): Promise<T> => {
  const orderId = id && UUID.test(id) ? id : undefined;
  return lockedTransaction(db, { customerId, orderId }, async (tx, atCommit) =>
    work(tx, orderId ? await readOrder(tx, orderId) : undefined, atCommit),
  );
};

/**
 * @param ownerId undefined if the caller may change everyone's orders
 * @throws if the order does not exist, is deleted or belongs to someone else
 */
export function requireFound(locked: LockedOrder | undefined, ownerId?: string): LockedOrder {
  if (!locked || locked.order.state === 'deleted') throw orderNotFound();
  if (ownerId !== undefined && locked.order.ownerId !== ownerId) throw orderNotFound();
  return locked;
}

export const isOpenRefund = ({ state }: Pick<OrderRefund, 'state'>) => state === 'requested' || state === 'pending';

export const sumCentsOf = (rows: Pick<OrderRefund, 'amountCents' | 'state'>[]): number =>
  rows.reduce((sum, { amountCents, state }) => (state === 'succeeded' ? sum + amountCents : sum), 0);

/** @returns how many pieces have returned to the stock */
export const returnedPiecesOf = (rows: Pick<OrderRefund, 'doneAt' | 'restockPieces'>[]): number =>
  rows.reduce((sum, { doneAt, restockPieces }) => (doneAt ? sum + restockPieces : sum), 0);

/** What a further refund of the order depends on, in the form of `contract/refunds`. */
export function refundableOf({ order, refunds: rows }: LockedOrder) {
  const succeeded = rows.filter(({ state }) => state === 'succeeded');
  return {
    price: order.unitPrice,
    totalQuantity: order.quantity,
    refundedCents: sumCentsOf(succeeded),
    refundedPieces: sumPieces(succeeded),
    /** The pieces that have not returned to the stock. */
    unreturnedPieces: order.holdsStock ? order.quantity - returnedPiecesOf(rows) : 0,
  };
}

export const factsOf = ({ order, payment, refunds: rows }: LockedOrder, now: Date): OrderFacts => ({
  state: order.state,
  isShipped: order.shippedAt !== null,
  isOffered: order.offered,
  isPaymentBeingCanceled: order.claimedUntil !== null && order.claimedUntil > now,
  leftCents: payment ? payment.amountCents - sumCentsOf(rows) : 0,
  isRefundOpen: rows.some(isOpenRefund),
  isRefundFailed: order.refundFailed,
  isReturned: Boolean(payment?.returnedAt),
  isOfOriginal: payment?.ofOriginal ?? false,
  dispute: order.dispute,
});
