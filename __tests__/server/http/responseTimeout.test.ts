import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Order } from '../../../src/contract/entities';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { recordTimers } from '../../support/timers';

/** Never elapses. The tests end it early. */
const RESPONSE_TIMEOUT_MS = 3_600_000;
/** Enough orders to exceed the buffers of a socket, so that the list is still being sent while its reader pauses. */
const ORDER_COUNT = 40_000;

let gate: Promise<void> | undefined;
const timeouts = recordTimers(RESPONSE_TIMEOUT_MS);
let testKit: OrderTestKit;
beforeAll(async () => {
  const checkpoint = async (step: string) => void (step === 'place order' && (await gate));
  testKit = await openOrderTestKit({ checkpoint, responseTimeoutMs: RESPONSE_TIMEOUT_MS });
});
afterAll(async () => {
  expect(await testKit.countWrongStocks()).toBe(0);
  await testKit.close();
});

test('an order request that takes too long gets a 503, and a retry returns the placed order', async () => {
  const [ann, tool, key] = [await testKit.createCustomer(), await testKit.createTool(), randomUUID()];
  let release = () => {};
  gate = new Promise((resolve) => (release = resolve));
  const draft = { address: '1 Main', phone: '555 0100', productName: tool.name, totalQuantity: 3 };
  const request = testKit.call(ann, 'POST', '/order', draft, { 'idempotency-key': key });
  await timeouts.waitFor(1);
  timeouts.end();
  const response = await request;
  expect([response.status, response.body]).toMatchObject([503, { code: 'unavailable' }]);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  release();
  const retry = await testKit.placeOrder(ann, draft, key);
  expect([retry.status, await testKit.readAvailable(tool.id)]).toEqual([201, 97]);
  expect((await testKit.call<Order[]>(ann, 'GET', `/order?email=${ann.email}`)).body).toMatchObject([retry.body]);
});

test('a list whose response has started is not cut off, even if the client pauses for longer than the timeout', async () => {
  const ann = await testKit.createCustomer();
  await testKit.insertOrders(ann, ORDER_COUNT);
  const headers = { authorization: `Bearer ${ann.token}`, accept: 'application/json' };
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${testKit.origin}/order?email=${ann.email}`, { headers }, resolve).on('error', reject),
  );
  timeouts.end();
  expect(JSON.parse(await text(response))).toHaveLength(ORDER_COUNT);
});
