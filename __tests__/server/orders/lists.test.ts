import { eq } from 'drizzle-orm';
import { orders } from '../../../server/db/schema';
import type { Order } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { explainStatements, recordStatements } from '../../support/statements';
import { expectEventually } from '../../support/wait';

const ORDER_COUNT = 2_500;
let testKit: OrderTestKit;
let ann: Customer, bob: Customer, admin: Customer;
beforeAll(async () => {
  testKit = await openOrderTestKit();
  [ann, bob, admin] = [
    await testKit.createCustomer(),
    await testKit.createCustomer(),
    await testKit.createCustomer('admin'),
  ];
  await testKit.insertOrders(ann, ORDER_COUNT);
});
afterAll(() => testKit.close());

const listOrders = (caller: Customer | null, query = '', headers = {}) =>
  testKit.call<Order[]>(caller, 'GET', `/order${query}`, undefined, headers);
const emailQuery = ({ email }: Customer) => `?email=${encodeURIComponent(email)}`;

// Clauses A.2.33, A.7.7, C.3.1, C.3.4, C.3.5
it('a customer gets all their orders, newest first, with the total count', async () => {
  const { status, body, headers } = await listOrders(ann, emailQuery(ann));
  expect([status, body.length, headers.get('x-total-count')]).toEqual([200, ORDER_COUNT, String(ORDER_COUNT)]);
  expect(body.map(({ productName }) => Number(productName.slice(7)))).toEqual(
    Array.from({ length: ORDER_COUNT }, (_, n) => ORDER_COUNT - n),
  );
  const specifiedFields = [
    '_id',
    'address',
    'client',
    'email',
    'paid',
    'phone',
    'price',
    'productName',
    'totalQuantity',
  ];
  const moreFields = ['dispute', 'heldUntil', 'paidAt', 'placedAt', 'status', 'toolId'];
  expect(Object.keys(body[0]!).sort()).toEqual([...specifiedFields, ...moreFields].sort());
});

// Clauses A.6.2, C.2.5
it("customers can read only their own orders, but admins can read anyone's orders", async () => {
  expect([(await listOrders(bob, emailQuery(ann))).status, (await listOrders(null, emailQuery(ann))).status]).toEqual([
    403, 401,
  ]);
  expect((await listOrders(bob, emailQuery(bob))).body).toEqual([]);
  expect((await listOrders(admin, emailQuery(ann))).body).toHaveLength(ORDER_COUNT);
  const { id: toolId } = await testKit.createTool();
  const shown = await testKit.insertOrder(ann, toolId, { email: 'former@mail.example' });
  const former = await listOrders(admin, '?email=Former@mail.example');
  expect([former.body, former.headers.get('x-total-count')]).toEqual([
    [expect.objectContaining({ _id: shown.id })],
    '1',
  ]);
  await testKit.deps.db.delete(orders).where(eq(orders.id, shown.id));
  const unknown = await listOrders(admin, '?email=nobody@mail.example');
  expect([unknown.body, unknown.headers.get('x-total-count')]).toEqual([[], '0']);
});

// Clauses A.7.8, C.2.12
it('only admins can list all orders', async () => {
  expect([(await listOrders(ann)).status, (await listOrders(null)).status]).toEqual([403, 401]);
  const { body, headers } = await listOrders(admin);
  expect([body.length, headers.get('x-total-count')]).toEqual([ORDER_COUNT, String(ORDER_COUNT)]);
  expect([headers.get('content-type'), headers.get('preference-applied')]).toEqual([
    ...['application/json; charset=utf-8', null],
  ]);
  expect(headers.get('vary')).toContain('Accept, Prefer');
});

it('a page of all orders has the total count of all orders', async () => {
  const { body, headers } = await listOrders(admin, '?limit=2');
  expect([body.length, headers.get('x-total-count')]).toEqual([2, String(ORDER_COUNT)]);
});

// Clause C.3.6
it('a request with Prefer: return=minimal gets the current count without the orders', async () => {
  const minimal = { prefer: 'return=minimal' };
  const first = await listOrders(admin, '', minimal);
  expect([first.body, first.headers.get('preference-applied')]).toEqual([[], 'return=minimal']);
  for (const [prefer, length] of Object.entries({
    ...{ 'wait=1, Return=Minimal': 0, 'wait=1,return=minimal': 0, 'return=minimal; a=b': 0 },
    ...{ 'noreturn=minimal': ORDER_COUNT, 'return=minimalist': ORDER_COUNT },
  }))
    expect([prefer, (await listOrders(ann, emailQuery(ann), { prefer })).body.length]).toEqual([prefer, length]);
  const tool = await testKit.createTool();
  const { body } = await testKit.placeOrder(bob, { productName: tool.name, totalQuantity: 1 });
  const readCount = async () => Number((await listOrders(admin, '', minimal)).headers.get('x-total-count'));
  await expectEventually(readCount, ORDER_COUNT + 1);
  await testKit.call(bob, 'DELETE', `/order/${body._id}`);
  await expectEventually(readCount, ORDER_COUNT);
  expect((await listOrders(ann, emailQuery(ann), minimal)).headers.get('x-total-count')).toBe(String(ORDER_COUNT));
});

// Clauses A.6.2, A.7.9, C.2.2, C.2.10
it('an order can be read only by its owner and by admins', async () => {
  const { body } = await listOrders(ann, emailQuery(ann));
  const path = `/order/${body[0]!._id}`;
  const responses = await Promise.all([ann, admin, bob, null].map((caller) => testKit.call(caller, 'GET', path)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 401]);
  expect(responses[0]!.body).toEqual({ ...body[0], shippingLog: [], refunds: [], refundedCents: 0 });
  for (const unknown of ['x', '00000000-0000-4000-8000-000000000000', '%27'])
    expect((await testKit.call(ann, 'GET', `/order/${unknown}`)).status).toBe(404);
});

it("listing a customer's orders uses the database index on the owner", async () => {
  const pool = testKit.deps.db.$client;
  const recorded = await recordStatements(pool, () => listOrders(bob, emailQuery(bob)));
  const lists = recorded.filter(({ text }) => /from "orders".* order by /s.test(text));
  expect(lists).toHaveLength(1);
  expect(await explainStatements(pool, lists)).toContain('orders_owner');
});
