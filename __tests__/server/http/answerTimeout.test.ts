import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../../../src/contract/entities';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';

const WITHIN_MS = 1000;
/** More than the sockets between two processes hold, so that the list is still under way when its reader rests. */
const MANY = 40_000;

let held: Promise<void> | undefined;
let desk: OrderTestKit;
beforeAll(async () => {
  const checkpoint = async (step: string) => void (step === 'place order' && (await held));
  desk = await openOrderTestKit({ checkpoint, answerWithinMs: WITHIN_MS });
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

test('an order that takes too long is answered all the same, and is there for whoever sends it again', async () => {
  const [ann, tool, key] = [await desk.customer(), await desk.tool(), randomUUID()];
  let letGo = () => {};
  held = new Promise((resolve) => (letGo = resolve));
  const draft = { address: '1 Main', phone: '555', productName: tool.name, totalQuantity: 3 };
  const began = performance.now();
  const answer = await desk.ask(ann, 'POST', '/order', draft, { 'idempotency-key': key });
  expect(performance.now() - began).toBeLessThan(20 * WITHIN_MS);
  expect([answer.status, answer.body]).toMatchObject([503, { code: 'unavailable' }]);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  letGo();
  const again = await desk.order(ann, draft, key);
  expect([again.status, await desk.available(tool.id)]).toEqual([201, 97]);
  expect((await desk.call<Order[]>(ann, 'GET', `/order?email=${ann.email}`)).body).toEqual([again.body]);
});

test('a list that has begun to arrive is left to the pace of its reader', async () => {
  const ann = await desk.customer();
  await desk.manyOrders(ann, MANY);
  const headers = { authorization: `Bearer ${ann.token}`, accept: 'application/json' };
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${desk.origin}/order?email=${ann.email}`, { headers }, resolve).on('error', reject),
  );
  await sleep(2 * WITHIN_MS);
  expect(JSON.parse(await text(answer))).toHaveLength(MANY);
});
