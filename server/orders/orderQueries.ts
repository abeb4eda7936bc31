import { and, eq, getTableColumns, lt, ne, sql, sum } from 'drizzle-orm';
import type { Order } from '../../src/contract/entities';
import { isAdmin, type CallerAccount } from '../auth/access';
import type { Db } from '../db/database';
import { orderCounts, orders, payments } from '../db/schema';
import { BATCH_SIZE, streamList } from '../http/jsonStream';
import { UUID } from '../http/textValidation';

const { position } = getTableColumns(orders);
const orderColumns = {
  _id: orders.id,
  client: orders.client,
  email: orders.email,
  price: orders.unitPrice,
  productName: orders.productName,
  address: orders.address,
  phone: orders.phone,
  totalQuantity: orders.quantity,
  paid: sql<boolean>`${orders.state} = 'paid'`,
  toolId: orders.toolId,
  transactionId: payments.intentId,
};

type SelectedOrder = Omit<Order, 'transactionId'> & { transactionId: string | null };
const toOrder = ({ transactionId, ...order }: SelectedOrder): Order =>
  transactionId ? { ...order, transactionId } : order;
/** `'paid'` is a literal, not a parameter, so that PostgreSQL can use the partial index of paid rows. */
const paymentOfOrder = sql`${payments.orderId} = ${orders.id} and ${payments.outcome} = 'paid'`;
const isNotDeleted = ne(orders.state, 'deleted');

export async function findOrder(db: Db, user: CallerAccount, id: string): Promise<Order | undefined> {
  if (!UUID.test(id)) return undefined;
  const [row] = await db
    .select(orderColumns)
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .where(and(eq(orders.id, id), isNotDeleted, isAdmin(user) ? undefined : eq(orders.ownerId, user.id)));
  return row && toOrder(row);
}

export interface OrderForPayment {
  order: Order;
  state: (typeof orders.$inferSelect)['state'];
}

/** Finds an order of the caller, even a deleted one, because a payment may have arrived for it. */
export async function findOrderForPayment(
  db: Db,
  user: CallerAccount,
  id: string,
): Promise<OrderForPayment | undefined> {
  const [row] = await db
    .select({ ...orderColumns, state: orders.state })
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .where(and(eq(orders.id, id), eq(orders.ownerId, user.id)));
  if (!row) return undefined;
  const { state, ...order } = row;
  return { order: toOrder(order), state };
}

export async function countOrders(db: Db, ownerId?: string): Promise<number> {
  if (ownerId !== undefined) return db.$count(orders, and(eq(orders.ownerId, ownerId), isNotDeleted));
  const [row] = await db.select({ n: sum(orderCounts.n).mapWith(Number) }).from(orderCounts);
  return row?.n ?? 0;
}

/** The index on the owner is sorted `nulls last`. PostgreSQL uses it only for a query with the same sort. */
const selectNextRows = (db: Db, ownerId: string | undefined, below: number | undefined) =>
  db
    .select({ ...orderColumns, position })
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .where(
      and(
        isNotDeleted,
        ownerId === undefined ? undefined : eq(orders.ownerId, ownerId),
        below ? lt(position, below) : undefined,
      ),
    )
    .orderBy(ownerId === undefined ? sql`${position} desc` : sql`${position} desc nulls last`)
    .limit(BATCH_SIZE);

/** Streams the complete list, newest first. */
export function streamOrders(db: Db, ownerId?: string) {
  return streamList(
    (after?: { position: number | null }) => selectNextRows(db, ownerId, after?.position ?? undefined),
    ({ position: _, ...row }) => toOrder(row),
  );
}
