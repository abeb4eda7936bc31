import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { tools } from '../../../server/db/schema';
import { createCheckpoints } from '../../support/checkpoints';
import type { Customer } from '../../support/customers';
import { waitUntilBlocked } from '../../support/database';
import { openOrderTestKit, type OrderTestKit, NO_DISCREPANCIES } from '../../support/orders';

jest.setTimeout(120_000);

const checkpoints = createCheckpoints();
let testKit: OrderTestKit;
beforeAll(async () => {
  testKit = await openOrderTestKit({ checkpoint: checkpoints.checkpoint });
});
afterAll(async () => {
  expect(await testKit.auditStock()).toEqual(NO_DISCREPANCIES);
  await testKit.close();
});

const CONCURRENCY = 50;

/** Runs fifty jobs at a time, which are five for each connection to the database. */
async function runConcurrently<T>(jobs: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const queue = [...jobs];
  const worker = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) results.push(await job());
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

const repeat = <T>(n: number, start: () => Promise<T>) => Promise.all(Array.from({ length: n }, start));

// Clauses C.6.4, C.6.6
it('a thousand orders for one piece each, fifty at a time, get exactly the hundred pieces in stock', async () => {
  const tool = await testKit.createTool({ availableQuantity: 100 });
  const buyers = await repeat(100, () => testKit.createCustomer());
  const draft = { productName: tool.name, totalQuantity: 1 };
  const responses = await runConcurrently(
    Array.from({ length: 1000 }, (_, n) => () => testKit.placeOrder(buyers[n % 100]!, draft)),
  );
  expect(responses.every(({ status }) => status === 201)).toBe(true);
  expect(responses.filter(({ body }) => body.price !== null)).toHaveLength(100);
  expect(await testKit.readAvailable(tool.id)).toBe(0);
});

// Clauses C.6.4, C.6.6
it('if twenty people order ten pieces each of the last hundred, exactly ten get them', async () => {
  const buyers = await repeat(20, () => testKit.createCustomer());
  for (let round = 0; round < 5; round++) {
    const tool = await testKit.createTool({ availableQuantity: 100, minimumOrderQuantity: 10 });
    const draft = { productName: tool.name, totalQuantity: 10 };
    const responses = await Promise.all(buyers.map((buyer) => testKit.placeOrder(buyer, draft)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(responses.filter(({ body }) => body.price !== null)).toHaveLength(10);
    expect(await testKit.readAvailable(tool.id)).toBe(0);
  }
});

// Clauses C.6.4, C.6.6
it('two hundred orders for different quantities, fifty at a time, never get more than the stock', async () => {
  const tool = await testKit.createTool({ availableQuantity: 50, minimumOrderQuantity: 2 });
  const buyers = await repeat(200, () => testKit.createCustomer());
  const buy = (buyer: Customer, n: number) =>
    testKit.placeOrder(buyer, { productName: tool.name, totalQuantity: 2 + (n % 7) });
  const responses = await runConcurrently(buyers.map((buyer, n) => () => buy(buyer, n)));
  const sold = responses
    .filter(({ body }) => body.price !== null)
    .reduce((sum, { body }) => sum + body.totalQuantity, 0);
  expect(sold + (await testKit.readAvailable(tool.id))!).toBe(50);
});

// Clause C.6.4
it('if two orders compete for the last pieces, the second one is stored without a price', async () => {
  const [ann, bob] = [await testKit.createCustomer(), await testKit.createCustomer()];
  const tool = await testKit.createTool({ availableQuantity: 5, minimumOrderQuantity: 2 });
  const draft = { productName: tool.name, totalQuantity: 5 };
  checkpoints.runBefore('place order', () => testKit.placeOrder(bob, draft));
  const { body } = await testKit.placeOrder(ann, draft);
  expect(checkpoints.haveAllRun()).toBe(true);
  expect([body.price, await testKit.readAvailable(tool.id)]).toEqual([null, 0]);
});

type PlaceOrder = () => ReturnType<OrderTestKit['placeOrder']>;
/**
 * Places an order while a transaction changes the tool. The transaction ends once the order waits for the tool's row.
 * The order has then read outdated values.
 */
async function placeDuringChange(
  toolId: string,
  change: { price?: number; availableQuantity?: number },
  placeOrder: PlaceOrder,
) {
  let order: ReturnType<PlaceOrder> | undefined;
  await testKit.deps.db.transaction(async (tx) => {
    await tx.update(tools).set(change).where(eq(tools.id, toolId));
    order = placeOrder();
    await waitUntilBlocked(testKit.deps);
  });
  return order!;
}

// Clause C.6.1
it('placing an order answers 409 if the price changes while the order waits for the stock', async () => {
  const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool({ price: 7 })];
  const { status, body } = await placeDuringChange(tool.id, { price: 9 }, () =>
    testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 1, price: 7 }),
  );
  expect([status, body.meta]).toEqual([409, { price: 9 }]);
});

// Clause C.6.1
it('an order that names no price gets the price that the tool has when the stock is reserved', async () => {
  const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool({ price: 7 })];
  const { body } = await placeDuringChange(tool.id, { price: 9 }, () =>
    testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 1 }),
  );
  expect(body.price).toBe(9);
});

// Clause C.6.17
it('a customer who sends thirty orders simultaneously, of two tools, gets ten priced orders', async () => {
  const [ann, ...two] = [await testKit.createCustomer(), await testKit.createTool(), await testKit.createTool()];
  const draftOf = (n: number) => ({ productName: two[n % 2]!.name, totalQuantity: 1 });
  const responses = await Promise.all(Array.from({ length: 30 }, (_, n) => testKit.placeOrder(ann, draftOf(n))));
  const placed = responses.filter(({ status }) => status === 201);
  expect([placed.length, placed.every(({ body }) => body.price === 7)]).toEqual([10, true]);
  expect(new Set(responses.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
    new Set(['too_many_unpaid_orders']),
  );
});

// Clause C.6.15
it('an order that is sent fifty times simultaneously is placed once, and all fifty responses are equal', async () => {
  const [ann, tool, key] = [await testKit.createCustomer(), await testKit.createTool(), randomUUID()];
  const before = await testKit.countOrders();
  const responses = await repeat(50, () => testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 3 }, key));
  expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(responses[0]!.status).toBe(201);
  expect([await testKit.countOrders(), await testKit.readAvailable(tool.id)]).toEqual([before! + 1, 97]);
});

// Clause C.6.15
it('a retry after a lost response returns the placed order', async () => {
  const [ann, tool, key] = [await testKit.createCustomer(), await testKit.createTool(), randomUUID()];
  const draft = { address: 'a', phone: 'p', productName: tool.name, totalQuantity: 3 };
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json', 'idempotency-key': key };
  const controller = new AbortController();
  checkpoints.runBefore('place order', async () => controller.abort());
  const send = () =>
    fetch(`${testKit.origin}/order`, {
      method: 'POST',
      headers,
      body: JSON.stringify(draft),
      signal: controller.signal,
    });
  while (!controller.signal.aborted) await send().catch(() => undefined);
  const { status, body } = await testKit.call(ann, 'POST', '/order', draft, { 'idempotency-key': key });
  expect([status, body.price, await testKit.readAvailable(tool.id)]).toEqual([201, 7, 97]);
  const list = await testKit.call<unknown[]>(ann, 'GET', `/order?email=${ann.email}`);
  expect(list.body).toEqual([body]);
});
