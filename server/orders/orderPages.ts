import type { Readable } from 'node:stream';
import { and, asc, desc, eq, inArray, lt, sql, type SQL } from 'drizzle-orm';
import { Order as OrderSchema, type Order, type OrderCounts, type OrderStatus } from '../../src/contract/entities';
import { MAX_COUNTED_ORDERS, MAX_ORDERS_PER_PAGE } from '../../src/contract/limits';
import type { Db } from '../db/database';
import { ORDER_STATUS, orders, payments } from '../db/schema';
import { streamCsv } from '../http/csvWriter';
import { UUID } from '../http/textValidation';
import { isNotDeleted, selectDetailedOrders, toDetailedOrder, type DetailedOrderRow } from './orderQueries';
import { searchOrders } from './orderSearch';

export interface PageRequest {
  status?: OrderStatus | undefined;
  /**
   * An order id, a transaction id, the number of an invoice or a credit note, or words of the email, the customer's name,
   * the product, the address or the reference.
   */
  q?: string | undefined;
  limit: number;
  /** The cursor: the `position` of the previous page's last order. */
  after?: number | undefined;
  /** The cursor of a walk to newer orders. */
  since?: number | undefined;
}

export interface OrderPage {
  orders: Order[];
  next: number | undefined;
}

const statusSql = sql.raw(`(${ORDER_STATUS})`);
const ORDER_NUMBER = /^[0-9a-f]{8}$/i;
const TRANSACTION_ID = /^pi_\w+$/;
const PAPER_NUMBER = /^[FC]-\d{6,}$/i;

/** They may use only the columns that `orderSearch.ts` selects. */
const filtersOf = (request: PageRequest): (SQL | undefined)[] => [
  isNotDeleted,
  request.status && sql`${statusSql} = ${request.status}`,
  request.after === undefined ? undefined : lt(orders.position, request.after),
];

const selectRows = (db: Db, where: SQL | undefined, limit: number): Promise<DetailedOrderRow[]> =>
  selectDetailedOrders(db).where(where).orderBy(desc(orders.position)).limit(limit);

/** @returns the condition for an order's number, which is the first eight characters of its id */
function orderNumberCondition(number: string): SQL {
  const rest = '-0000-0000-0000-000000000000';
  return sql`${orders.id} between ${number + rest}::uuid and ${number + rest.replaceAll('0', 'f')}::uuid`;
}

/** @returns the condition for the number of an invoice or a credit note */
function paperNumberCondition(number: string): SQL {
  const areNumbered = sql`select p.order_id from payments p where p.invoice = ${number}
    union all select r.order_id from refunds r where r.number = ${number}`;
  return sql`${orders.id} in (${areNumbered})`;
}

/**
 * @returns the condition for a search text that is an order id, a transaction id, or the number of an order, an invoice
 * or a credit note. Undefined if it is none of these, or a number that does not exist. Then it is searched as words.
 */
async function exactCondition(db: Db, q: string): Promise<SQL | undefined> {
  if (UUID.test(q)) return eq(orders.id, q);
  if (TRANSACTION_ID.test(q))
    return inArray(orders.id, db.select({ id: payments.orderId }).from(payments).where(eq(payments.intentId, q)));
  const isPaperNumber = PAPER_NUMBER.test(q);
  if (!isPaperNumber && !ORDER_NUMBER.test(q)) return undefined;
  const condition = isPaperNumber ? paperNumberCondition(q.toUpperCase()) : orderNumberCondition(q);
  const [found] = await db.select({ id: orders.id }).from(orders).where(and(isNotDeleted, condition)).limit(1);
  return found && condition;
}

async function searchPage(db: Db, q: string, request: PageRequest, limit: number): Promise<DetailedOrderRow[]> {
  const exact = await exactCondition(db, q);
  if (exact) return selectRows(db, and(...filtersOf(request), exact), limit);
  const positions = await searchOrders(db, q, and(...filtersOf(request)), limit);
  return positions.length > 0
    ? selectRows(db, sql`${orders.position} = any(${sql.param(positions)}::bigint[])`, limit)
    : [];
}

/** @returns orders of all customers, newest first, including what only admins may see */
export async function listOrderPage(db: Db, request: PageRequest): Promise<OrderPage> {
  const limit = request.limit + 1;
  const q = request.q?.trim();
  const rows = q ? await searchPage(db, q, request, limit) : await selectRows(db, and(...filtersOf(request)), limit);
  const page = rows.slice(0, request.limit);
  const next = rows.length > request.limit ? page.at(-1)!.position : undefined;
  return { orders: page.map((row) => toDetailedOrder(row, true)), next };
}

/**
 * Lists orders of all customers from the oldest to the newest, for a machine that polls.
 * @param complete up to this position, no order can appear anymore
 * @returns also a cursor if there are no newer orders, because there will be
 */
export async function listNewerOrders(db: Db, request: PageRequest, complete: number): Promise<OrderPage> {
  const since = request.since!;
  const isNewer = sql`${orders.position} > ${since} and ${orders.position} <= ${complete}`;
  const rows = await selectDetailedOrders(db)
    .where(and(...filtersOf(request), isNewer))
    .orderBy(asc(orders.position))
    .limit(request.limit);
  const last = rows.length < request.limit ? Math.max(since, complete) : rows.at(-1)!.position!;
  return { orders: rows.map((row) => toDetailedOrder(row, true)), next: last };
}

/** Reads small pages, because no other request is handled while a page is written. */
async function* readAllPages(db: Db, filter: Pick<PageRequest, 'status' | 'q'>) {
  let after: number | undefined;
  do {
    const page = await listOrderPage(db, { ...filter, limit: MAX_ORDERS_PER_PAGE, after });
    yield* page.orders;
    after = page.next;
  } while (after !== undefined);
}

const { seller: _, img: __, ...sheetProperties } = OrderSchema.properties;
const ORDER_COLUMNS = Object.keys(sheetProperties) as (keyof Order)[];

/**
 * Streams orders as CSV, with a column for each field of the API. Refunds and the shipping log are JSON. For a slow
 * client, the server keeps only one batch in memory and no database connection open.
 */
export const streamOrderSheet = (db: Db, filter: Pick<PageRequest, 'status' | 'q'>): Readable =>
  streamCsv(ORDER_COLUMNS, readAllPages(db, filter));

const countOf = (name: OrderStatus) => sql`(select count(*)::int from (
  select from orders where ${statusSql} = ${sql.raw(`'${name}'`)} and state <> 'deleted' limit ${MAX_COUNTED_ORDERS}) counted)`;

/** Counts stop at MAX_COUNTED_ORDERS, because counting a million orders takes at least 200 ms (decision 005). */
export async function countByStatus(db: Db): Promise<OrderCounts> {
  const { rows } = await db.execute<OrderCounts & Record<string, unknown>>(sql`
    select ${countOf('unpriced')} as unpriced, ${countOf('unpaid')} as unpaid, ${countOf('paid')} as paid,
      ${countOf('shipped')} as shipped, ${countOf('refunded')} as refunded`);
  return rows[0]!;
}
