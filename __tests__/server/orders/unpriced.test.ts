import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { PlacedOrder } from '../../../src/contract/entities';
import { MAX_UNPRICED_ORDERS } from '../../../src/contract/limits';
import type { Customer } from '../../support/customers';
import { type JsonResponse, openOrderTestKit, type OrderTestKit, NO_DISCREPANCIES } from '../../support/orders';

jest.setTimeout(120_000);

let testKit: OrderTestKit;
let tool: Awaited<ReturnType<OrderTestKit['createTool']>>;
beforeAll(async () => {
  testKit = await openOrderTestKit();
  tool = await testKit.createTool({ minimumOrderQuantity: 2 });
});
afterAll(async () => {
  expect(await testKit.auditStock()).toEqual(NO_DISCREPANCIES);
  await testKit.close();
});

const TOO_MANY = [409, 'too_many_unpriced_orders'];
const placeOutOfRange = (customer: Customer, key?: string) =>
  testKit.placeOrder(customer, { productName: tool.name, totalQuantity: 1 }, key);
const placeAtOnce = (customer: Customer, count: number) =>
  Promise.all(Array.from({ length: count }, () => placeOutOfRange(customer)));
const countUnpriced = async ({ id }: Customer) => {
  const { rows } = await testKit.deps.db.execute<{ n: number }>(
    sql`select count(*)::int as n from orders where owner_id = ${id} and state = 'unpriced'`,
  );
  return rows[0]!.n;
};
const codeOf = ({ status, body }: JsonResponse) => [status, body.code];

describe('A customer at the limit of unpriced orders', () => {
  // Clause C.6.21
  it('gets a 409 with an explanation for each further unpriced order until an unpriced order is deleted', async () => {
    const ann = await testKit.createCustomer();
    const key = randomUUID();
    const first = await placeOutOfRange(ann, key);
    for (let n = 1; n < MAX_UNPRICED_ORDERS; n += 1) expect((await placeOutOfRange(ann)).status).toBe(201);
    const refused = await placeOutOfRange(ann);
    expect(codeOf(refused)).toEqual(TOO_MANY);
    expect((refused.body as { detail?: string }).detail).toBe(
      "You have 100 orders that can't be paid. Delete one in My Orders, then order again.",
    );
    expect((await placeOutOfRange(ann, key)).body).toEqual(first.body);
    expect(await countUnpriced(ann)).toBe(100);

    await testKit.call(ann, 'DELETE', `/order/${first.body._id}`);
    expect([(await placeOutOfRange(ann)).status, ...codeOf(await placeOutOfRange(ann))]).toEqual([201, ...TOO_MANY]);
  });

  it('can still place priced orders, and does not affect other customers', async () => {
    const [ann, bob] = [await testKit.createCustomer(), await testKit.createCustomer()];
    await testKit.insertOrders(ann, MAX_UNPRICED_ORDERS);
    const priced = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 2 });
    expect([priced.body.price, (await placeOutOfRange(bob)).status]).toEqual([7, 201]);
  });
});

// Clause C.6.21
it('many simultaneous unpriced orders never exceed the limit', async () => {
  const ann = await testKit.createCustomer();
  const responses = await placeAtOnce(ann, 130);
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(100);
  expect(responses.filter(({ status }) => status !== 201).map(codeOf)).toEqual(Array(30).fill(TOO_MANY));
  expect(await countUnpriced(ann)).toBe(100);
});

it('the limit applies to a customer with more unpriced orders than it allows', async () => {
  const bob = await testKit.createCustomer();
  await testKit.insertOrders(bob, 5_000);
  expect(codeOf(await placeOutOfRange(bob))).toEqual(TOO_MANY);
});

it('an unpriced order that is sent twenty times simultaneously is placed once, and all responses are equal', async () => {
  const [ann, key] = [await testKit.createCustomer(), randomUUID()];
  const responses = await Promise.all(Array.from({ length: 20 }, () => placeOutOfRange(ann, key)));
  expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(await countUnpriced(ann)).toBe(1);
});

describe('The response to an unpriced order', () => {
  const unpricedReason = async (values: Parameters<OrderTestKit['createTool']>[0], totalQuantity: number) => {
    const [ann, { name }] = [await testKit.createCustomer(), await testKit.createTool(values)];
    const { body } = await testKit.placeOrder(ann, { productName: name, totalQuantity });
    expect(body.price).toBeNull();
    return (body as PlacedOrder).unpriced;
  };
  const stock = { availableQuantity: 640, minimumOrderQuantity: 20 };

  it.each([
    ['below the range', stock, 19, { reason: 'range', min: 20, max: 640 }],
    ['above the range', stock, 641, { reason: 'range', min: 20, max: 640 }],
    ['out of stock', { ...stock, availableQuantity: 19 }, 20, { reason: 'range', min: 20, max: 19 }],
    ['above the largest total', { ...stock, price: 20_000 }, 50, { reason: 'total', min: 20, max: 49 }],
    ['a minimum order above the largest total', { ...stock, price: 50_000 }, 5, { reason: 'total', min: 20, max: 19 }],
  ])('names the reason why it has no price: %s', async (_case, values, quantity, expected) => {
    expect(await unpricedReason(values, quantity)).toEqual(expected);
  });

  // Clause C.6.14
  it('repeats the reason when the order is sent again, even if it could get a price by then', async () => {
    const [ann, key, scarceTool] = [
      await testKit.createCustomer(),
      randomUUID(),
      await testKit.createTool({ ...stock, availableQuantity: 5 }),
    ];
    const draft = { productName: scarceTool.name, totalQuantity: 20 };
    const first = await testKit.placeOrder(ann, draft, key);
    await testKit.deps.db.execute(
      sql`update tools set available_quantity = 640, stocked_quantity = 640 where id = ${scarceTool.id}`,
    );
    expect((await testKit.placeOrder(ann, draft, key)).body).toEqual(first.body);
    expect((first.body as PlacedOrder).unpriced).toEqual({ reason: 'range', min: 20, max: 5 });
  });

  it('names the reason, unlike later reads of the same order', async () => {
    const ann = await testKit.createCustomer();
    const { body } = await placeOutOfRange(ann);
    expect(body).toHaveProperty('unpriced');
    const readResponse = await testKit.call(ann, 'GET', `/order/${body._id}`);
    const list = await testKit.call<object[]>(ann, 'GET', `/order?email=${ann.email}`);
    expect([Object.keys(readResponse.body), Object.keys(list.body[0]!)].flat()).not.toContain('unpriced');
  });
});
