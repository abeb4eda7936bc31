import { sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import type { Order } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { waitUntil } from '../../support/wait';

let kit: OrderTestKit;
let ann: Customer, admin: Customer;
let toolId: string;
beforeAll(async () => {
  kit = await openOrderTestKit();
  [ann, admin] = [await kit.createCustomer(), await kit.createCustomer('admin')];
  toolId = (await kit.createTool({ availableQuantity: 100_000 })).id;
});
const openClients = new Set<PoolClient>();
afterEach(() => openClients.forEach((client) => client.release(true)));
afterAll(() => kit.close());

async function poll(since: string, query = '') {
  const { status, body, headers } = await kit.call<Order[]>(admin, 'GET', `/order?since=${since}${query}`);
  expect(status).toBe(200);
  return { ids: body.map(({ _id }) => _id), next: /since=(\d+)/.exec(headers.get('link')!)![1]! };
}

/** Polls from here on, until there is nothing newer. */
async function drain(since: string, query = '') {
  const ids: string[] = [];
  for (;;) {
    const page = await poll(since, query);
    ids.push(...page.ids);
    since = page.next;
    if (page.ids.length === 0) return { ids, next: since };
  }
}

/**
 * Polls until this many newer orders were returned. Transactions of other databases in the same PostgreSQL can hold some
 * of them back for a moment.
 */
async function collect(since: string, count: number, query = '') {
  const ids: string[] = [];
  await waitUntil(async () => {
    const page = await poll(since, query);
    ids.push(...page.ids);
    since = page.next;
    return ids.length >= count;
  });
  return { ids, next: since };
}

const skipAll = async () => (await collect('0', (await kit.countOrders())!)).next;

/** Inserts an order in a transaction that stays open, as placing an order does: it locks the customer first. */
async function insertUncommitted() {
  const client = await kit.deps.db.$client.connect();
  openClients.add(client);
  const owner = await kit.createCustomer();
  await client.query('begin');
  await client.query('select from users where id = $1 for no key update', [owner.id]);
  const { rows } = await client.query<{ id: string }>(
    `insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock)
     values ($1, $2, 'Late', $3, 'Froe', 5, 'a', 'p', 'unpriced', false) returning id`,
    [owner.id, owner.email, toolId],
  );
  const end = async (how: 'commit' | 'rollback') => {
    openClients.delete(client);
    await client.query(how);
    client.release();
  };
  return { id: rows[0]!.id, end };
}

describe('A machine that polls for newer orders', () => {
  it('gets them oldest first, page by page, and a cursor even if there are none', async () => {
    const inserted = [];
    const start = await skipAll();
    for (let n = 0; n < 5; n++) inserted.push((await kit.insertOrder(ann, toolId)).id);
    expect((await collect(start, 5)).ids).toEqual(inserted);
    const first = await poll(start, '&limit=2');
    expect(first.ids).toEqual(inserted.slice(0, 2));
    const { ids, next } = await drain(first.next, '&limit=2');
    expect(ids).toEqual(inserted.slice(2));
    expect(await poll(next)).toEqual({ ids: [], next });
  });

  it('gets no order before one that got its number earlier and is committed later', async () => {
    const start = await skipAll();
    const late = await insertUncommitted();
    const early = await kit.insertOrder(ann, toolId);
    const before = await drain(start);
    expect(before.ids).toEqual([]);
    await late.end('commit');
    expect((await collect(before.next, 2)).ids).toEqual([late.id, early.id]);
  });

  it('still gets the orders that are older than the oldest open transaction', async () => {
    const start = await skipAll();
    const older = await kit.insertOrder(ann, toolId);
    await poll(start);
    const open = await insertUncommitted();
    const newer = await kit.insertOrder(ann, toolId);
    const { ids, next } = await collect(start, 1);
    expect([ids, (await drain(next)).ids]).toEqual([[older.id], []]);
    await open.end('rollback');
    expect((await collect(next, 1)).ids).toEqual([newer.id]);
  });

  it('misses none and gets none twice while many are placed simultaneously', async () => {
    let next = await skipAll();
    const got: string[] = [];
    let isDone = false;
    const { rows: before } = await kit.deps.db.execute(sql`select id from orders`);
    const customers = await Promise.all(Array.from({ length: 8 }, () => kit.createCustomer()));
    const placing = Promise.all(
      customers.map(async (customer) => {
        for (let n = 0; n < 12; n++) {
          const { status } = await kit.placeOrder(customer, { productName: 'x', toolId, totalQuantity: 200_000 });
          expect(status).toBe(201);
        }
      }),
    ).then(() => (isDone = true));
    while (!isDone) {
      const page = await poll(next, '&limit=7');
      got.push(...page.ids);
      next = page.next;
    }
    await placing;
    const { rows: after } = await kit.deps.db.execute<{ id: string }>(sql`select id from orders order by position`);
    const placed = after.slice(before.length).map(({ id }) => id);
    const rest = await collect(next, placed.length - got.length);
    expect([...got, ...rest.ids, ...(await drain(rest.next)).ids]).toEqual(placed);
  });

  it('can ask for one status, but not search or walk to older orders', async () => {
    const next = await skipAll();
    await kit.insertOrder(ann, toolId);
    expect((await poll(next, '&status=paid')).ids).toEqual([]);
    for (const other of ['q=ann', 'after=5'])
      expect((await kit.call(admin, 'GET', `/order?since=0&${other}`)).body.code).toBe('validation');
  });
});
