import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { PlacedOrder } from '../../../src/contract/entities';
import { MAX_UNPRICED_ORDERS } from '../../../src/contract/limits';
import { interleaving } from '../../support/checkpoints';
import type { Customer } from '../../support/customers';
import { type Answer, openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';

jest.setTimeout(120_000);

const moments = interleaving();
let desk: OrderTestKit;
let tool: Awaited<ReturnType<OrderTestKit['tool']>>;
beforeAll(async () => {
  desk = await openOrderTestKit({ checkpoint: moments.checkpoint });
  tool = await desk.tool({ minimumOrderQuantity: 2 });
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

const TOO_MANY = [409, 'too_many_unpriced_orders'];
const outOfRange = (who: Customer, key?: string) => desk.order(who, { productName: tool.name, totalQuantity: 1 }, key);
const atOnce = (who: Customer, many: number) => Promise.all(Array.from({ length: many }, () => outOfRange(who)));
const unpricedOf = async ({ id }: Customer) => {
  const { rows } = await desk.deps.db.execute<{ n: number }>(
    sql`select count(*)::int as n from orders where owner_id = ${id} and state = 'unpriced'`,
  );
  return rows[0]!.n;
};
const codeOf = ({ status, body }: Answer) => [status, body.code];

describe('A customer with as many unpriced orders as allowed', () => {
  // Clause C.6.21
  it('gets 409 and a sentence for the next one, and deleting one frees a place', async () => {
    const ann = await desk.customer();
    const key = randomUUID();
    const first = await outOfRange(ann, key);
    for (let n = 1; n < MAX_UNPRICED_ORDERS; n += 1) expect((await outOfRange(ann)).status).toBe(201);
    const refused = await outOfRange(ann);
    expect(codeOf(refused)).toEqual(TOO_MANY);
    expect((refused.body as { detail?: string }).detail).toBe(
      "You have 100 orders that can't be paid. Delete one in My Orders, then order again.",
    );
    expect((await outOfRange(ann, key)).body).toEqual(first.body);
    expect(await unpricedOf(ann)).toBe(100);

    await desk.call(ann, 'DELETE', `/order/${first.body._id}`);
    expect([(await outOfRange(ann)).status, ...codeOf(await outOfRange(ann))]).toEqual([201, ...TOO_MANY]);
  });

  it('can still place orders that have a price, and so can others without one', async () => {
    const [ann, bob] = [await desk.customer(), await desk.customer()];
    await desk.manyOrders(ann, MAX_UNPRICED_ORDERS);
    const priced = await desk.order(ann, { productName: tool.name, totalQuantity: 2 });
    expect([priced.body.price, (await outOfRange(bob)).status]).toEqual([7, 201]);
  });
});

// Clause C.6.21
it('many unpriced orders at once never exceed the limit', async () => {
  const ann = await desk.customer();
  const answers = await atOnce(ann, 130);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
  expect(answers.filter(({ status }) => status !== 201).map(codeOf)).toEqual(Array(30).fill(TOO_MANY));
  expect(await unpricedOf(ann)).toBe(100);
});

it('unpriced orders of a version without slots count too, also when more come at once', async () => {
  const [ann, bob] = [await desk.customer(), await desk.customer()];
  await desk.manyOrders(ann, 93);
  await outOfRange(ann);
  const answers = await atOnce(ann, 20);
  expect([answers.filter(({ status }) => status === 201).length, await unpricedOf(ann)]).toEqual([6, 100]);
  await desk.manyOrders(bob, 5_000);
  expect(codeOf(await outOfRange(bob))).toEqual(TOO_MANY);
});

it('an order that fits just before it is recorded without a price gets one', async () => {
  const [ann, bob] = [await desk.customer(), await desk.customer()];
  const small = await desk.tool({ availableQuantity: 5, minimumOrderQuantity: 2 });
  const first = await desk.order(bob, { productName: small.name, totalQuantity: 4 });
  moments.justBefore('place unpriced order', () => desk.call(bob, 'DELETE', `/order/${first.body._id}`));
  const { body } = await desk.order(ann, { productName: small.name, totalQuantity: 4 });
  expect([body.price, moments.allCame(), await desk.available(small.id)]).toEqual([7, true, 1]);
});

it('an unpriced order sent twenty times at once is one order with one answer', async () => {
  const [ann, key] = [await desk.customer(), randomUUID()];
  const answers = await Promise.all(Array.from({ length: 20 }, () => outOfRange(ann, key)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(await unpricedOf(ann)).toBe(1);
});

describe('The answer to an unpriced order says why', () => {
  const why = async (values: Parameters<OrderTestKit['tool']>[0], totalQuantity: number, before: number[] = []) => {
    const [ann, { name }] = [await desk.customer(), await desk.tool(values)];
    for (const quantity of before) await desk.order(ann, { productName: name, totalQuantity: quantity });
    const { body } = await desk.order(ann, { productName: name, totalQuantity });
    expect(body.price).toBeNull();
    return (body as PlacedOrder).unpriced;
  };
  const stock = { availableQuantity: 640, minimumOrderQuantity: 20 };

  it.each([
    ['below the range', stock, 19, [], { reason: 'range', min: 20, max: 320 }],
    ['above the range', stock, 641, [], { reason: 'range', min: 20, max: 320 }],
    ['above the range of what is left', stock, 641, [40], { reason: 'range', min: 20, max: 280 }],
    ['above all of a small stock', { ...stock, availableQuantity: 79 }, 80, [], { reason: 'range', min: 20, max: 79 }],
    ['out of stock', { ...stock, availableQuantity: 19 }, 20, [], { reason: 'range', min: 20, max: 19 }],
    ['above the share', stock, 321, [], { reason: 'share', min: 20, max: 320 }],
    ['nothing left of the share', stock, 20, [310], { reason: 'share', min: 20, max: 10 }],
    ['out of range with nothing left of the share', stock, 5, [310], { reason: 'share', min: 20, max: 10 }],
    ['above the largest total', { ...stock, price: 20_000 }, 50, [], { reason: 'total', min: 20, max: 49 }],
    ['at the limit of unpaid orders', stock, 20, Array(10).fill(20), { reason: 'limit', min: 20, max: 120 }],
    ['out of range at the limit', stock, 5, Array(10).fill(20), { reason: 'limit', min: 20, max: 120 }],
  ])('%s', async (_case, values, quantity, before, wanted) => {
    expect(await why(values, quantity, before)).toEqual(wanted);
  });

  // Clause C.6.14
  it('and says the same when the same order is sent again, although it could be ordered by then', async () => {
    const [ann, key, mine] = [await desk.customer(), randomUUID(), await desk.tool({ ...stock, availableQuantity: 5 })];
    const draft = { productName: mine.name, totalQuantity: 20 };
    const first = await desk.order(ann, draft, key);
    await desk.deps.db.execute(
      sql`update tools set available_quantity = 640, stocked_quantity = 640 where id = ${mine.id}`,
    );
    expect((await desk.order(ann, draft, key)).body).toEqual(first.body);
    expect((first.body as PlacedOrder).unpriced).toEqual({ reason: 'range', min: 20, max: 5 });
  });

  it('and no other answer about the order does', async () => {
    const ann = await desk.customer();
    const { body } = await outOfRange(ann);
    const one = await desk.call(ann, 'GET', `/order/${body._id}`);
    const list = await desk.call<object[]>(ann, 'GET', `/order?email=${ann.email}`);
    expect([Object.keys(one.body), Object.keys(list.body[0]!)].flat()).not.toContain('unpriced');
  });
});
