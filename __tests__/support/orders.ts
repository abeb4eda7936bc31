import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Order } from '../../src/contract/entities';
import { tools } from '../../server/db/schema';
import { newCustomer, type Customer } from './customers';
import { startShop } from './shop';

export interface Answer<T = Order> {
  status: number;
  body: T & { code?: string; meta?: Record<string, unknown>; errors?: { field: string }[] };
  headers: Headers;
}

const TRIES = 5;
/** No statement may take longer than five seconds. */
const AT_ONCE = 5_000;

type Draft = Record<string, unknown>;
type ToolValues = Partial<typeof tools.$inferInsert>;

/** The whole server on a fresh database, with what a test of orders does again and again. */
export async function openOrderTestKit(options: Parameters<typeof startShop>[0] = {}) {
  const shop = await startShop(options);
  const { db } = shop.deps;

  const customer = (role: 'member' | 'admin' = 'member') => newCustomer(shop, { displayName: 'Ann', role });

  async function tool(values: ToolValues = {}) {
    const stock = values.availableQuantity ?? 100;
    const made = {
      name: `Tool ${randomUUID()}`,
      price: 7,
      minimumOrderQuantity: 1,
      description: 'A tool.',
      img: '/t.svg',
    };
    const [row] = await db
      .insert(tools)
      .values({ ...made, availableQuantity: stock, stockedQuantity: stock, ...values })
      .returning();
    return row!;
  }

  /** On a busy machine the server may say so; whoever asks waits a moment, as a person does, and not for ever. */
  async function call<T = Order>(...asked: Parameters<typeof ask>): Promise<Answer<T>> {
    for (let tries = 1; ; tries++) {
      const answer = await ask<T>(...asked);
      if (answer.body?.code !== 'unavailable' || tries === TRIES) return answer;
      await sleep(100 + Math.random() * 400);
    }
  }

  async function ask<T>(who: Customer | null, method: string, path: string, body?: unknown, more = {}) {
    const headers = {
      ...(who && { authorization: `Bearer ${who.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    };
    const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(shop.origin + path, { method, headers, body: sent });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : null, headers: response.headers } as Answer<T>;
  }

  const order = (who: Customer | null, draft: Draft, key?: string) =>
    call(who, 'POST', '/order', { address: '1 Main', phone: '555', ...draft }, key ? { 'idempotency-key': key } : {});

  /** Of a tool that is out of stock, numbered by their age. */
  async function manyOrders({ id, email }: Customer, many: number) {
    const { id: toolId } = await tool();
    for (let from = 0; from < many; from += AT_ONCE) {
      const to = Math.min(many, from + AT_ONCE);
      await db.execute(sql`
        with counted as (update order_counts set n = n + ${to - from} where shard = 0)
        insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock)
        select ${id}, ${email}, 'Ann', ${toolId}, 'Hammer ' || n, 5, 'a', 'p', 'unpriced', false
        from generate_series(${from + 1}::int, ${to}::int) n`);
    }
  }

  async function numbers(query: ReturnType<typeof sql>): Promise<Record<string, number>> {
    const [row] = (await db.execute(query)).rows as Record<string, string>[];
    return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
  }

  const available = async (toolId: string) =>
    (await numbers(sql`select available_quantity as n from tools where id = ${toolId}`))['n'];
  const countRows = async () => (await numbers(sql`select count(*) as n from orders`))['n'];

  /** What must hold at any time: no piece is lost or there twice, and the count is the number of rows. */
  async function audit() {
    const { tools: lost } = await numbers(sql`
      select count(*) as tools from tools t where t.stocked_quantity <> t.available_quantity +
        (select coalesce(sum(quantity), 0) from orders o where o.tool_id = t.id and o.holds_stock)`);
    const { off } = await numbers(sql`
      select (select sum(n) from order_counts) - (select count(*) from orders where state <> 'deleted') as off`);
    return { lost, off };
  }

  return { ...shop, customer, tool, ask, call, order, manyOrders, available, countRows, audit };
}

export type OrderTestKit = Awaited<ReturnType<typeof openOrderTestKit>>;
export const sound = { lost: 0, off: 0 };
