import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { tools } from '../../../server/db/schema';
import { interleaving } from '../../support/checkpoints';
import type { Customer } from '../../support/customers';
import { waitUntilBlocked } from '../../support/database';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';

/** A crowd takes its time on a busy machine. */
jest.setTimeout(120_000);

const moments = interleaving();
let desk: OrderTestKit;
beforeAll(async () => {
  desk = await openOrderTestKit({ checkpoint: moments.checkpoint });
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

const AT_ONCE = 50;

/** Each of these as soon as one of fifty buyers is free: five for each connection to the database. */
async function crowd<T>(jobs: (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = [];
  const queue = [...jobs];
  const buyer = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) done.push(await job());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, buyer));
  return done;
}

const times = <T>(n: number, make: () => Promise<T>) => Promise.all(Array.from({ length: n }, make));

// Clauses C.6.4, C.6.6
it('a thousand buyers for a hundred pieces buy exactly a hundred', async () => {
  const tool = await desk.tool({ availableQuantity: 100 });
  const buyers = await times(100, () => desk.customer());
  const draft = { productName: tool.name, totalQuantity: 1 };
  const answers = await crowd(Array.from({ length: 1000 }, (_, n) => () => desk.order(buyers[n % 100]!, draft)));
  expect(answers.every(({ status }) => status === 201)).toBe(true);
  expect(answers.filter(({ body }) => body.price !== null)).toHaveLength(100);
  expect(await desk.available(tool.id)).toBe(0);
});

// Clauses C.6.4, C.6.6
it('two hundred buyers of different amounts never buy more than there is', async () => {
  const tool = await desk.tool({ availableQuantity: 50, minimumOrderQuantity: 2 });
  const buyers = await times(200, () => desk.customer());
  const buy = (buyer: Customer, n: number) => desk.order(buyer, { productName: tool.name, totalQuantity: 2 + (n % 7) });
  const answers = await crowd(buyers.map((buyer, n) => () => buy(buyer, n)));
  const sold = answers.filter(({ body }) => body.price !== null).reduce((sum, { body }) => sum + body.totalQuantity, 0);
  expect(sold + (await desk.available(tool.id))!).toBe(50);
});

// Clause C.6.4
it('who is overtaken just before taking the last pieces is recorded without a price', async () => {
  const [ann, bob] = [await desk.customer(), await desk.customer()];
  const tool = await desk.tool({ availableQuantity: 5, minimumOrderQuantity: 2 });
  const draft = { productName: tool.name, totalQuantity: 5 };
  moments.justBefore('place order', () => desk.order(bob, draft));
  const { body } = await desk.order(ann, draft);
  expect(moments.allCame()).toBe(true);
  expect([body.price, await desk.available(tool.id)]).toEqual([null, 0]);
});

/** Holds the tool's row until the order waits for it, so that what the order has read is old by then. */
async function whileOrderWaits(toolId: string, change: { price?: number; availableQuantity?: number }) {
  const { db } = desk.deps;
  let order: ReturnType<OrderTestKit['order']> | undefined;
  return (place: () => ReturnType<OrderTestKit['order']>) =>
    db
      .transaction(async (tx) => {
        await tx.update(tools).set(change).where(eq(tools.id, toolId));
        order = place();
        await waitUntilBlocked(desk.deps);
      })
      .then(() => order!);
}

// Clause C.6.1
it('a price that changes while an order waits for the stock is told, not charged', async () => {
  const [ann, tool] = [await desk.customer(), await desk.tool({ price: 7 })];
  const held = await whileOrderWaits(tool.id, { price: 9 });
  const { status, body } = await held(() => desk.order(ann, { productName: tool.name, totalQuantity: 1, price: 7 }));
  expect([status, body.meta]).toEqual([409, { price: 9 }]);
});

// Clause C.6.1
it('without a price of their own one pays the price of the moment the stock is taken', async () => {
  const [ann, tool] = [await desk.customer(), await desk.tool({ price: 7 })];
  const held = await whileOrderWaits(tool.id, { price: 9 });
  const { body } = await held(() => desk.order(ann, { productName: tool.name, totalQuantity: 1 }));
  expect(body.price).toBe(9);
});

// Clause C.6.17
it('one customer who orders thirty times at once has ten priced orders', async () => {
  const [ann, tool] = [await desk.customer(), await desk.tool()];
  const answers = await times(30, () => desk.order(ann, { productName: tool.name, totalQuantity: 1 }));
  expect(answers.every(({ status }) => status === 201)).toBe(true);
  expect(answers.filter(({ body }) => body.price !== null)).toHaveLength(10);
  expect(await desk.available(tool.id)).toBe(90);
});

// Clause C.6.15
it('fifty sendings of one order at once are one order with fifty equal answers', async () => {
  const [ann, tool, key] = [await desk.customer(), await desk.tool(), randomUUID()];
  const before = await desk.countRows();
  const answers = await times(50, () => desk.order(ann, { productName: tool.name, totalQuantity: 3 }, key));
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(201);
  expect([await desk.countRows(), await desk.available(tool.id)]).toEqual([before! + 1, 97]);
});

// Clause C.6.15
it('an answer that is lost on its way is there for whoever asks again', async () => {
  const [ann, tool, key] = [await desk.customer(), await desk.tool(), randomUUID()];
  const draft = { address: 'a', phone: 'p', productName: tool.name, totalQuantity: 3 };
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json', 'idempotency-key': key };
  const gone = new AbortController();
  moments.justBefore('place order', async () => gone.abort());
  const send = () =>
    fetch(`${desk.origin}/order`, { method: 'POST', headers, body: JSON.stringify(draft), signal: gone.signal });
  while (!gone.signal.aborted) await send().catch(() => undefined);
  const { status, body } = await desk.call(ann, 'POST', '/order', draft, { 'idempotency-key': key });
  expect([status, body.price, await desk.available(tool.id)]).toEqual([201, 7, 97]);
  const list = await desk.call<unknown[]>(ann, 'GET', `/order?email=${ann.email}`);
  expect(list.body).toEqual([body]);
});
