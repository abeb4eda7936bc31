import { and, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import type { Order, OrderStatus, Refund } from '../../src/contract/entities';
import { sumCents, sumPieces } from '../../src/contract/refunds';
import { isAdmin, type CallerAccount } from '../auth/access';
import type { Db } from '../db/database';
import { ORDER_STATUS, orders, payments, personalColumns, shipments, tools } from '../db/schema';
import { LIST_BATCH_SIZE, streamList } from '../http/jsonStream';
import { orderNotFound } from '../http/problems';
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
  invoice: payments.invoice,
  heldUntil: orders.holdUntil,
  offered: orders.offered,
  dispute: orders.dispute,
  refundFailed: orders.refundFailed,
};
/** The reason of refunds that nobody requested in the shop. */
export const REASON_AT_PROVIDER = 'refunded at the payment provider';
const refundingCents = sql<number | null>`(
  select sum(r.amount_cents)::float8 from refunds r where r.payment_id = ${payments.intentId} and r.state in ('requested', 'pending'))`;
const refundReason = sql<string | null>`(select r.reason from refunds r
  where r.payment_id = ${payments.intentId} and r.requested_by is not null order by r.created_at desc limit 1)`;
type ShownRefund = Required<Refund>;
/**
 * A refund that was made at the provider has the time of the provider. One that failed counts if the operator has paid
 * its money back in another way.
 */
const refundsColumn = sql<ShownRefund[]>`(
  select coalesce(json_agg(done order by done.at), '[]') from (
    select case when r.requested_by is null then r.created_at else r.done_at end as at, r.pieces,
      r.amount_cents as cents, r.number, r.reason
    from refunds r where r.payment_id = ${payments.intentId}
      and (r.state = 'succeeded' or r.done_at = ${payments.returnedAt})) done)`;
const cardColumns = { cardBrand: payments.cardBrand, cardLast4: payments.cardLast4 };
/** The columns of the order page and the admin pages. */
const detailColumns = {
  ...orderColumns,
  position,
  state: orders.state,
  refundedAt: orders.refundedAt,
  refundingCents,
  refundReason,
  refundRows: refundsColumn,
  ...cardColumns,
  seller: payments.seller,
  shippedAt: shipments.createdAt,
  carrier: shipments.carrier,
  tracking: shipments.tracking,
  link: shipments.link,
  note: shipments.note,
};

type TimeField = 'placedAt' | 'paidAt' | 'heldUntil';
type SelectedOrder = Omit<Order, 'transactionId' | 'offered' | 'refundFailed' | TimeField> & {
  transactionId: string | null;
  offered: boolean;
  refundFailed: boolean;
  placedAt: Date;
  paidAt: Date | null;
  heldUntil: Date | null;
};
export type DetailedOrderRow = Awaited<ReturnType<typeof selectDetailedOrders>>[number];
function toOrder({
  transactionId,
  offered,
  refundFailed,
  placedAt,
  paidAt,
  heldUntil,
  ...order
}: SelectedOrder): Order {
  return {
    ...order,
    ...(transactionId ? { transactionId } : {}),
    ...(offered ? { offered: true } : {}),
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

const toRefunds = (rows: ShownRefund[], isForAdmin: boolean) => ({
  refunds: rows.map(({ at, reason, ...done }) => ({
    at: new Date(at).toISOString(),
    ...done,
    ...(isForAdmin && { reason }),
  })),
  refundedCents: sumCents(rows),
  refundedPieces: sumPieces(rows),
});

type RefundColumns = Pick<DetailedOrderRow, 'refundedAt' | 'refundingCents' | 'refundReason' | 'refundRows'>;
function refundOf({ refundedAt, refundingCents, refundReason, refundRows }: RefundColumns, isForAdmin: boolean) {
  return {
    ...(refundingCents ? { refundRequested: true as const, refundingCents } : {}),
    ...(refundedAt ? { refundedAt: refundedAt.toISOString() } : {}),
    ...toRefunds(refundRows, isForAdmin),
    ...(isForAdmin && refundReason !== null ? { refundReason } : {}),
  };
}

type CardColumns = Record<keyof typeof cardColumns, string | null>;
const cardOf = ({ cardBrand: brand, cardLast4: last4 }: CardColumns) =>
  brand && last4 ? { card: { brand, last4 } } : {};

/** @returns the order with its card, its refund and its shipping log */
export function toDetailedOrder(row: DetailedOrderRow, isForAdmin: boolean): Order {
  const { position: _, state: __, refundedAt, refundingCents, refundReason, refundRows, shippedAt, ...rest } = row;
  const { carrier, tracking, link, note, cardBrand, cardLast4, seller, ...order } = rest;
  const entry = { at: shippedAt?.toISOString() ?? '', carrier: carrier ?? '', tracking: tracking ?? '', link, note };
  return {
    ...toOrder(order),
    ...refundOf({ refundedAt, refundingCents, refundReason, refundRows }, isForAdmin),
    ...cardOf({ cardBrand, cardLast4 }),
    ...(seller ? { seller } : {}),
    shippingLog: shippedAt ? [entry] : [],
  };
}

export async function requireOrder(db: Db, user: CallerAccount, id: string): Promise<Order> {
  if (!UUID.test(id)) throw orderNotFound();
  const isVisible = and(eq(orders.id, id), isNotDeleted, isAdmin(user) ? undefined : eq(orders.ownerId, user.id));
  const [row] = await selectDetailedOrders(db).where(isVisible);
  if (!row) throw orderNotFound();
  return toDetailedOrder(row, isAdmin(user));
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
  const [row] = await selectDetailedOrders(db).where(and(eq(orders.id, id), eq(orders.ownerId, user.id)));
  return row && { order: toDetailedOrder(row, false), state: row.state };
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

const isOfCustomer = ({ ownerId, email }: OrderSelection) => ownerId !== undefined || email !== undefined;

/** What only a customer's list has. */
const customerColumns = {
  refundRows: refundsColumn,
  img: sql<string>`(select ${tools.img} from ${tools} where ${tools.id} = ${orders.toolId})`,
};
const NO_CUSTOMER_COLUMNS = { refundRows: sql<null>`null`, img: sql<null>`null` };

/** Sorts by `nulls last`, as the index on the owner does. Otherwise PostgreSQL would not use this index. */
const selectNextRows = (db: Db, selection: OrderSelection, below: number | undefined) =>
  db
    .select({ ...orderColumns, position, ...(isOfCustomer(selection) ? customerColumns : NO_CUSTOMER_COLUMNS) })
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .where(and(isSelected(selection), below ? lt(position, below) : undefined))
    .orderBy(selection.ownerId === undefined ? sql`${position} desc` : sql`${position} desc nulls last`)
    .limit(LIST_BATCH_SIZE);

/**
 * Streams the complete list that specification A.7 requires, newest orders first. A customer's list has the refunds and
 * pictures.
 */
export function streamOrders(db: Db, selection: OrderSelection) {
  return streamList(
    (after?: { position: number | null }) => selectNextRows(db, selection, after?.position ?? undefined),
    ({ position: _, refundRows, img, ...row }) => ({
      ...toOrder(row),
      ...(refundRows && { img, ...toRefunds(refundRows, false) }),
    }),
  );
}
