import type { Pool } from 'pg';
import type { Order } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

const MANY = 2_500;
let desk: OrderTestKit;
let ann: Customer, bob: Customer, admin: Customer;
beforeAll(async () => {
  desk = await openOrderTestKit();
  [ann, bob, admin] = [await desk.customer(), await desk.customer(), await desk.customer('admin')];
  await desk.manyOrders(ann, MANY);
});
afterAll(() => desk.close());

const list = (who: Customer | null, query = '', more = {}) =>
  desk.call<Order[]>(who, 'GET', `/order${query}`, undefined, more);
const of = ({ email }: Customer) => `?email=${encodeURIComponent(email)}`;

// Clauses A.2.33, A.7.7, C.3.1, C.3.4, C.3.5
it('my orders are all of mine, newest first, with their number', async () => {
  const { status, body, headers } = await list(ann, of(ann));
  expect([status, body.length, headers.get('x-total-count')]).toEqual([200, MANY, String(MANY)]);
  expect(body.map(({ productName }) => Number(productName.slice(7)))).toEqual(
    Array.from({ length: MANY }, (_, n) => MANY - n),
  );
  expect(Object.keys(body[0]!).sort()).toEqual(
    ['_id', 'address', 'client', 'email', 'paid', 'phone', 'price', 'productName', 'toolId', 'totalQuantity'].sort(),
  );
});

// Clauses A.6.2, C.2.9
it("nobody reads somebody else's orders; an admin reads anybody's, and those of nobody are none", async () => {
  expect([(await list(bob, of(ann))).status, (await list(null, of(ann))).status]).toEqual([403, 401]);
  expect((await list(bob, of(bob))).body).toEqual([]);
  expect((await list(admin, of(ann))).body).toHaveLength(MANY);
  const unknown = await list(admin, '?email=nobody@mail.example');
  expect([unknown.body, unknown.headers.get('x-total-count')]).toEqual([[], '0']);
});

// Clauses A.7.8, C.2.12
it('all orders are for admins', async () => {
  expect([(await list(ann)).status, (await list(null)).status]).toEqual([403, 401]);
  const { body, headers } = await list(admin);
  expect([body.length, headers.get('x-total-count')]).toEqual([MANY, String(MANY)]);
});

// Clause C.3.6
it('who wants the number alone moves no rows, and the number follows what happens', async () => {
  const minimal = { prefer: 'return=minimal' };
  const first = await list(admin, '', minimal);
  expect([first.body, first.headers.get('preference-applied')]).toEqual([[], 'return=minimal']);
  const tool = await desk.tool();
  const { body } = await desk.order(bob, { productName: tool.name, totalQuantity: 1 });
  expect((await list(admin, '', minimal)).headers.get('x-total-count')).toBe(String(MANY + 1));
  await desk.call(bob, 'DELETE', `/order/${body._id}`);
  expect((await list(admin, '', minimal)).headers.get('x-total-count')).toBe(String(MANY));
  expect((await list(ann, of(ann), minimal)).headers.get('x-total-count')).toBe(String(MANY));
});

// Clauses A.6.2, A.7.9, C.2.2, C.2.10
it('one order is for its owner and for admins', async () => {
  const { body } = await list(ann, of(ann));
  const path = `/order/${body[0]!._id}`;
  const answers = await Promise.all([ann, admin, bob, null].map((who) => desk.call(who, 'GET', path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 401]);
  expect(answers[0]!.body).toEqual(body[0]);
  for (const unknown of ['x', '00000000-0000-4000-8000-000000000000', '%27'])
    expect((await desk.call(ann, 'GET', `/order/${unknown}`)).status).toBe(404);
});

/** What the server asks its database while this goes on. */
async function asked(pool: Pool, work: () => Promise<unknown>): Promise<{ text: string; values: unknown[] }[]> {
  const query = jest.spyOn(pool, 'query');
  await work();
  const calls = query.mock.calls as unknown as [{ text: string }, unknown[]?][];
  query.mockRestore();
  return calls.map(([{ text }, values = []]) => ({ text, values }));
}

it('a list is read by the index of its owner, whatever the number of orders', async () => {
  const pool = desk.deps.db.$client;
  const statements = await asked(pool, () => list(bob, of(bob)));
  const lists = statements.filter(({ text }) => /from "orders".* order by /s.test(text));
  expect(lists).toHaveLength(1);
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${lists[0]!.text}`, lists[0]!.values);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('orders_owner');
});
