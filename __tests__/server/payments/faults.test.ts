import { sql } from 'drizzle-orm';
import type { Fault } from '../../../embedded/stripe';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

type Call = { method: string; path: string };
const CREATE = /^\/v1\/payment_intents$/;
let script: ((call: Call) => Fault | undefined) | undefined;
let ahead = 0;
let desk: PaymentTestKit;
const now = () => new Date(Date.now() + ahead);

beforeEach(async () => {
  script = undefined;
  ahead = 0;
  desk = await openPaymentTestKit({ silent: true, now, faults: { onCall: (call) => script?.(call) } });
});
afterEach(async () => {
  script = undefined;
  await desk.close();
});

/** This fault for so many creations of an intent; then all is well. */
const onCreate = (fault: Fault, times = Infinity) => {
  let left = times;
  script = ({ method, path }) => (method === 'POST' && CREATE.test(path) && left-- > 0 ? fault : undefined);
};

async function paysAfterAll({ who, order, total }: Awaited<ReturnType<PaymentTestKit['unpaid']>>) {
  const { status, body } = await desk.ask(who, order._id, total);
  expect(status).toBe(200);
  const { intentId } = await desk.confirm(body.clientSecret);
  expect((await desk.patch(who, order._id, intentId)).status).toBe(200);
  expect([await desk.intents(order._id), await desk.charges(order._id)]).toEqual([1, 1]);
  expect(await desk.findings()).toEqual([]);
}

it('An intent whose answer is lost is the one that is found again', async () => {
  const made = await desk.unpaid();
  onCreate({ drop: true }, 1);
  await paysAfterAll(made);
});

// Clause C.8.6
it('An intent whose answers are all lost is found by its key when all is well again', async () => {
  const made = await desk.unpaid();
  onCreate({ drop: true });
  const refused = await desk.ask(made.who, made.order._id, made.total);
  expect([refused.status, refused.body.code]).toEqual([503, 'payment_provider_unavailable']);
  expect(await desk.intents(made.order._id)).toBe(1);
  script = undefined;
  await paysAfterAll(made);
});

it('An attempt whose intent exists is kept, however long its answers are lost', async () => {
  const made = await desk.unpaid();
  const { who, order, total } = made;
  onCreate({ drop: true });
  expect((await desk.ask(who, order._id, total)).status).toBe(503);
  ahead = 61_000;
  expect((await desk.ask(who, order._id, total)).status).toBe(503);
  const attempts = await desk.rows(sql`select n, state from payment_attempts where order_id = ${order._id}`);
  expect([attempts, await desk.intents(order._id)]).toEqual([[{ n: 1, state: 'open' }], 1]);
  script = undefined;
  await paysAfterAll(made);
});

it.each([429, 500] as const)('A provider that answers %d is a clear 503, and nothing has changed', async (status) => {
  const made = await desk.unpaid();
  onCreate({ status });
  const refused = await desk.ask(made.who, made.order._id, made.total);
  expect([refused.status, refused.body.code]).toEqual([503, 'payment_provider_unavailable']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await desk.intents(made.order._id)).toBe(0);
  script = undefined;
  await paysAfterAll(made);
});

it('A provider that is slow is a 503 before the browser gives up, and other calls do not wait for it', async () => {
  const [made, begun] = [await desk.unpaid(), await desk.unpaid()];
  await desk.ask(begun.who, begun.order._id, begun.total);
  script = ({ method }) => (method === 'POST' ? { delayMs: 14_000 } : undefined);
  const from = performance.now();
  const slow = [
    desk.ask(made.who, made.order._id, made.total),
    desk.call(begun.who, 'DELETE', `/order/${begun.order._id}`),
  ];
  for (let i = 0; i < 5; i++) await desk.unpaid({ who: made.who });
  const { body: own } = await desk.call<unknown[]>(made.who, 'GET', `/order?email=${made.who.email}`);
  expect(own).toHaveLength(6);
  expect(performance.now() - from).toBeLessThan(11_000);
  for (const { status, body } of await Promise.all(slow))
    expect([status, body.code]).toEqual([503, 'payment_provider_unavailable']);
  expect(performance.now() - from).toBeLessThan(15_000);
});

it('While the provider is away a delete and a payment change nothing, and both work afterwards', async () => {
  const [{ who, order, intentId }, begun] = [await desk.charged(), await desk.unpaid()];
  await desk.ask(begun.who, begun.order._id, begun.total);
  const remove = () => desk.call(begun.who, 'DELETE', `/order/${begun.order._id}`);
  script = () => ({ status: 500 });
  const answers = [await desk.patch(who, order._id, intentId), await remove()];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    answers.map(() => [503, 'payment_provider_unavailable']),
  );
  expect((await desk.webhook(desk.eventOf(intentId))).status).toBe(503);
  expect([await desk.stateOf(order._id), await desk.stateOf(begun.order._id)]).toEqual(['unpaid', 'unpaid']);
  script = undefined;
  expect((await remove()).status).toBe(204);
  expect((await desk.patch(who, order._id, intentId)).status).toBe(200);
  expect(await desk.findings()).toEqual([]);
});

it('A refusal that no customer can mend is said to be ours, and nothing has changed', async () => {
  const made = await desk.unpaid();
  onCreate({ status: 400 });
  const refused = await desk.ask(made.who, made.order._id, made.total);
  expect([refused.status, refused.body.code]).toEqual([500, 'internal']);
  script = undefined;
  await paysAfterAll(made);
});

it('An intent that another tab made while this one gave up stays the one that is paid', async () => {
  const made = await desk.unpaid();
  const { who, order, total } = made;
  onCreate({ status: 500 });
  expect((await desk.ask(who, order._id, total)).status).toBe(503);
  ahead = 61_000;
  let other: Awaited<ReturnType<PaymentTestKit['ask']>> | undefined;
  desk.before('give up attempt', async () => {
    script = undefined;
    other = await desk.ask(who, order._id, total);
  });
  expect((await desk.ask(who, order._id, total)).status).toBe(503);
  expect(other!.status).toBe(200);
  expect((await desk.ask(who, order._id, total)).body.clientSecret).toBe(other!.body.clientSecret);
  await paysAfterAll(made);
});
