import { and, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import type { Order, OrderStatus } from '../../src/contract/entities';
import { isAdmin, type CallerAccount } from '../auth/access';
import type { Db } from '../db/database';
import { ORDER_STATUS, orders, payments, personalColumns, shipments } from '../db/schema';
import { LIST_BATCH_SIZE, streamList } from '../http/jsonStream';
import { UUID } from '../http/textValidation';

const { position } = getTableColumns(orders);
const orderColumns = {
  _id: orders.id,
  ...personalColumns,
  price: orders.unitPrice,
  productName: orders.productName,
  totalQuantity: orders.quantity,
  paid: sql<boolean>`${orders.state} = 'paid'`,
  toolId: orders.toolId,
  transactionId: payments.intentId,
  status: sql<OrderStatus>`(${sql.raw(ORDER_STATUS)})`,
  placedAt: orders.createdAt,
  paidAt: payments.createdAt,
  heldUntil: orders.holdUntil,
  dispute: orders.dispute,
  refundFailed: orders.refundFailed,
};
/** The reason of refunds that nobody requested in the shop. */
export const REASON_AT_PROVIDER = 'refunded at the payment provider';
/** A subquery instead of a join, because in a join the unqualified `state` of `ORDER_STATUS` would be ambiguous. */
const refundColumn = (name: 'state' | 'reason') => sql<string | null>`(
  select r.${sql.identifier(name)} from refunds r where r.intent_id = ${payments.intentId})`;
interface RefundRow {
  at: string;
  pieces: number | null;
  cents: number;
  reason: string;
}
const refundsColumn = sql<RefundRow[]>`(
  select coalesce(json_agg(done order by done.at), '[]') from (
    select part.created_at as at, null::integer as pieces, part.amount_cents as cents, ${REASON_AT_PROVIDER} as reason
    from refund_parts part where part.intent_id = ${payments.intentId} and part.state <> 'failed'
    union all
    select last.updated_at, case when last.amount_cents = ${payments.amountCents} then ${orders.quantity} end,
      last.amount_cents, last.reason
    from refunds last where last.intent_id = ${payments.intentId} and last.state = 'succeeded') done)`;
const cardColumns = { cardBrand: payments.cardBrand, cardLast4: payments.cardLast4 };
/** The columns of the order page and the admin pages. */
const detailColumns = {
  ...orderColumns,
  position,
  refundedAt: orders.refundedAt,
  refundState: refundColumn('state'),
  refundReason: refundColumn('reason'),
  refundRows: refundsColumn,
  ...cardColumns,
  shippedAt: shipments.createdAt,
  carrier: shipments.carrier,
  tracking: shipments.tracking,
  link: shipments.link,
  note: shipments.note,
};

type TimeField = 'placedAt' | 'paidAt' | 'heldUntil';
type SelectedOrder = Omit<Order, 'transactionId' | 'refundFailed' | TimeField> & {
  transactionId: string | null;
  refundFailed: boolean;
  placedAt: Date;
  paidAt: Date | null;
  heldUntil: Date | null;
};
export type DetailedOrderRow = Awaited<ReturnType<typeof selectDetailedOrders>>[number];
function toOrder({ transactionId, refundFailed, placedAt, paidAt, heldUntil, ...order }: SelectedOrder): Order {
  return {
    ...order,
    ...(transactionId ? { transactionId } : {}),
    ...(refundFailed ? { refundFailed: true } : {}),
    placedAt: placedAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
    heldUntil: heldUntil?.toISOString() ?? null,
  };
}
/** `'paid'` is a literal, not a parameter, so that PostgreSQL can use the partial index of paid payments. */
const paymentOfOrder = sql`${payments.orderId} = ${orders.id} and ${payments.outcome} = 'paid'`;
/** `'deleted'` is a literal, not a parameter, so that PostgreSQL can use the partial indexes of orders. */
export const isNotDeleted = sql`${orders.state} <> 'deleted'`;

export const selectDetailedOrders = (db: Db) =>
  db
    .select(detailColumns)
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .leftJoin(shipments, eq(shipments.orderId, orders.id));

type RefundColumns = Pick<DetailedOrderRow, 'refundedAt' | 'refundState' | 'refundReason' | 'refundRows'>;
function refundOf({ refundedAt, refundState, refundReason, refundRows }: RefundColumns, isForAdmin: boolean) {
  const isOpen = refundState === 'requested' || refundState === 'pending';
  return {
    ...(isOpen ? { refundRequested: true as const } : {}),
    ...(refundedAt ? { refundedAt: refundedAt.toISOString() } : {}),
    refunds: refundRows.map(({ at, reason, ...done }) => ({
      at: new Date(at).toISOString(),
      ...done,
      ...(isForAdmin && { reason }),
    })),
    refundedCents: refundRows.reduce((sum, { cents }) => sum + cents, 0),
    ...(isForAdmin && refundReason !== null ? { refundReason } : {}),
  };
}

type CardColumns = Record<keyof typeof cardColumns, string | null>;
const cardOf = ({ cardBrand: brand, cardLast4: last4 }: CardColumns) =>
  brand && last4 ? { card: { brand, last4 } } : {};

/** @returns the order with its card, its refund and its shipping log */
export function toDetailedOrder(row: DetailedOrderRow, isForAdmin: boolean): Order {
  const { position: _, refundedAt, refundState, refundReason, refundRows, shippedAt, ...rest } = row;
  const { carrier, tracking, link, note, cardBrand, cardLast4, ...order } = rest;
  const entry = { at: shippedAt?.toISOString() ?? '', carrier: carrier ?? '', tracking: tracking ?? '', link, note };
  return {
    ...toOrder(order),
    ...refundOf({ refundedAt, refundState, refundReason, refundRows }, isForAdmin),
    ...cardOf({ cardBrand, cardLast4 }),
    shippingLog: shippedAt ? [entry] : [],
  };
}

export async function findOrder(db: Db, user: CallerAccount, id: string): Promise<Order | undefined> {
  if (!UUID.test(id)) return undefined;
  const isVisible = and(eq(orders.id, id), isNotDeleted, isAdmin(user) ? undefined : eq(orders.ownerId, user.id));
  const [row] = await selectDetailedOrders(db).where(isVisible);
  return row && toDetailedOrder(row, isAdmin(user));
}

export interface OrderForPayment {
  order: Order;
  state: (typeof orders.$inferSelect)['state'];
}

/**
 * Finds an order of the caller. Includes deleted orders, because a payment can still succeed after its order was
 * deleted.
 */
export async function findOrderForPayment(
  db: Db,
  user: CallerAccount,
  id: string,
): Promise<OrderForPayment | undefined> {
  const [row] = await db
    .select({ ...orderColumns, ...cardColumns, state: orders.state })
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .where(and(eq(orders.id, id), eq(orders.ownerId, user.id)));
  if (!row) return undefined;
  const { state, cardBrand, cardLast4, ...order } = row;
  return { order: { ...toOrder(order), ...cardOf({ cardBrand, cardLast4 }) }, state };
}

/** The orders of an owner, those that show an email, or all. */
export interface OrderSelection {
  ownerId?: string;
  email?: string;
}

const isSelected = ({ ownerId, email }: OrderSelection) =>
  and(
    isNotDeleted,
    ownerId === undefined ? undefined : eq(orders.ownerId, ownerId),
    email === undefined ? undefined : eq(orders.email, email),
  );

export const countOrders = (db: Db, selection: OrderSelection): Promise<number> =>
  db.$count(orders, isSelected(selection));

/** Sorts by `nulls last`, as the index on the owner does. Otherwise PostgreSQL would not use this index. */
const selectNextRows = (db: Db, selection: OrderSelection, below: number | undefined) =>
  db
    .select({ ...orderColumns, position })
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .where(and(isSelected(selection), below ? lt(position, below) : undefined))
    .orderBy(selection.ownerId === undefined ? sql`${position} desc` : sql`${position} desc nulls last`)
    .limit(LIST_BATCH_SIZE);

/** Streams the complete list that specification A.7 requires, newest orders first. */
export function streamOrders(db: Db, selection: OrderSelection) {
  return streamList(
    (after?: { position: number | null }) => selectNextRows(db, selection, after?.position ?? undefined),
    ({ position: _, ...row }) => toOrder(row),
  );
}
