import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Order } from '../../src/contract/entities';
import { orders, tools } from '../../server/db/schema';
import { newCustomer, type Customer } from './customers';
import { startShop } from './shop';

interface JsonResponse<T = Order> {
  status: number;
  body: T & { code?: string; detail?: string; meta?: Record<string, unknown>; errors?: { field: string }[] };
  headers: Headers;
}

/** Keeps each statement below the statement timeout of five seconds. */
const ORDERS_PER_STATEMENT = 5_000;

const isJson = ({ headers }: Response) => /json/.test(headers.get('content-type') ?? '');

type Draft = Record<string, unknown>;
type OrderValues = Partial<typeof orders.$inferInsert>;
type ToolValues = Partial<typeof tools.$inferInsert>;

/** Starts the whole server on a fresh database, with helpers for tests of orders. */
export async function openOrderTestKit(options: Parameters<typeof startShop>[0] = {}) {
  const shop = await startShop(options);
  const { db } = shop.deps;

  const createCustomer = (role: 'member' | 'admin' = 'member') => newCustomer(shop, { displayName: 'Ann', role });

  async function createTool(values: ToolValues = {}) {
    const stock = values.availableQuantity ?? 100;
    const defaults = {
      name: `Tool ${randomUUID()}`,
      price: 7,
      minimumOrderQuantity: 1,
      description: 'A tool.',
      img: '/t.svg',
    };
    const [row] = await db
      .insert(tools)
      .values({ ...defaults, availableQuantity: stock, stockedQuantity: stock, ...values })
      .returning();
    return row!;
  }

  async function call<T = Order>(
    customer: Customer | null,
    method: string,
    path: string,
    body?: unknown,
    moreHeaders = {},
  ) {
    const headers = {
      ...(customer && { authorization: `Bearer ${customer.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...moreHeaders,
    };
    const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(shop.origin + path, { method, headers, body: sent });
    const text = await response.text();
    return {
      status: response.status,
      body: text && isJson(response) ? JSON.parse(text) : text || null,
      headers: response.headers,
    } as JsonResponse<T>;
  }

  const placeOrder = (customer: Customer | null, draft: Draft, key?: string) =>
    call(
      customer,
      'POST',
      '/order',
      { address: '1 Main', phone: '555 0100', ...draft },
      key ? { 'idempotency-key': key } : {},
    );

  /** Inserts an order in a state that would take a while to reach. Without values, it is unpriced. */
  async function insertOrder({ id, email }: Customer, toolId: string, values: OrderValues = {}) {
    const row = {
      ...{ ownerId: id, email, client: 'Ann Lee', toolId, productName: 'Mallet', quantity: 5 },
      ...{ address: '18 Foundry Row', phone: '555', state: 'unpriced' as const, holdsStock: false },
      ...values,
    };
    const [order] = await db.insert(orders).values(row).returning();
    return order!;
  }

  /** Inserts unpriced orders, numbered from the oldest to the newest. */
  async function insertOrders({ id, email }: Customer, count: number) {
    const { id: toolId } = await createTool();
    for (let from = 0; from < count; from += ORDERS_PER_STATEMENT) {
      const to = Math.min(count, from + ORDERS_PER_STATEMENT);
      await db.execute(sql`
        insert into orders
          (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock)
        select ${id}, ${email}, 'Ann', ${toolId}, 'Hammer ' || n, 5, 'a', 'p', 'unpriced', false
        from generate_series(${from + 1}::int, ${to}::int) n`);
    }
  }

  /** @returns the number `n` of the first row, if there is one */
  async function readNumber(query: ReturnType<typeof sql>): Promise<number | undefined> {
    const [row] = (await db.execute<{ n: string }>(query)).rows;
    return row && Number(row.n);
  }
  const readAvailable = (toolId: string) =>
    readNumber(sql`select available_quantity as n from tools where id = ${toolId}`);
  const countOrders = () => readNumber(sql`select count(*) as n from orders`);
  const countWrongStocks = () =>
    readNumber(sql`
      select count(*) as n from tools t where t.stocked_quantity <> t.available_quantity +
        (select coalesce(sum(quantity - (select coalesce(sum(restock_pieces), 0) from refunds r
          where r.order_id = o.id and done_at is not null)), 0) from orders o where o.tool_id = t.id and o.holds_stock)`);

  return {
    ...shop,
    createCustomer,
    createTool,
    call,
    placeOrder,
    insertOrder,
    insertOrders,
    readNumber,
    readAvailable,
    countOrders,
    countWrongStocks,
  };
}

export type OrderTestKit = Awaited<ReturnType<typeof openOrderTestKit>>;
