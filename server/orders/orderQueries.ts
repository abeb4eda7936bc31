import { and, eq, getTableColumns, lt, ne, sql, sum } from 'drizzle-orm';
import type { Order } from '../../src/contract/entities';
import { isAdmin, type CallerAccount } from '../auth/access';
import type { Db } from '../db/database';
import { orderCounts, orders, payments } from '../db/schema';
import { BATCH, streamList } from '../http/jsonStream';
import { UUID } from '../http/textValidation';

const { position } = getTableColumns(orders);
const shown = {
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

type Row = Omit<Order, 'transactionId'> & { transactionId: string | null };
const orderOf = ({ transactionId, ...order }: Row): Order => (transactionId ? { ...order, transactionId } : order);
/** A literal, so that PostgreSQL can use the index of paid rows. */
const paymentOfOrder = sql`${payments.orderId} = ${orders.id} and ${payments.outcome} = 'paid'`;
const kept = ne(orders.state, 'deleted');

export async function findOrder(db: Db, user: CallerAccount, id: string): Promise<Order | undefined> {
  if (!UUID.test(id)) return undefined;
  const [row] = await db
    .select(shown)
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .where(and(eq(orders.id, id), kept, isAdmin(user) ? undefined : eq(orders.ownerId, user.id)));
  return row && orderOf(row);
}

export interface ForPayment {
  order: Order;
  state: (typeof orders.$inferSelect)['state'];
}

/** The caller's own, a deleted one too: money may have come for it. */
export async function findForPayment(db: Db, user: CallerAccount, id: string): Promise<ForPayment | undefined> {
  const [row] = await db
    .select({ ...shown, state: orders.state })
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .where(and(eq(orders.id, id), eq(orders.ownerId, user.id)));
  if (!row) return undefined;
  const { state, ...order } = row;
  return { order: orderOf(order), state };
}

export async function countOrders(db: Db, ownerId?: string): Promise<number> {
  if (ownerId !== undefined) return db.$count(orders, and(eq(orders.ownerId, ownerId), kept));
  const [row] = await db.select({ n: sum(orderCounts.n).mapWith(Number) }).from(orderCounts);
  return row?.n ?? 0;
}

/** `nulls last` is how the owner's index is sorted; said here, it is used. */
const nextRows = (db: Db, ownerId: string | undefined, below: number | undefined) =>
  db
    .select({ ...shown, position })
    .from(orders)
    .leftJoin(payments, paymentOfOrder)
    .where(
      and(
        kept,
        ownerId === undefined ? undefined : eq(orders.ownerId, ownerId),
        below ? lt(position, below) : undefined,
      ),
    )
    .orderBy(ownerId === undefined ? sql`${position} desc` : sql`${position} desc nulls last`)
    .limit(BATCH);

/** Newest first and whole. */
export function streamOrders(db: Db, ownerId?: string) {
  return streamList(
    (after?: { position: number | null }) => nextRows(db, ownerId, after?.position ?? undefined),
    ({ position: _, ...row }) => orderOf(row),
  );
}
