import { sql } from 'drizzle-orm';
import type { Fault } from '../../../embedded/stripe';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { recordTimers } from '../../support/timers';

type ProviderCall = { method: string; path: string };
/** Shorter than the 15 seconds for which the browser waits. */
const CALL_DEADLINE_MS = 12_000;
const CREATE_INTENT_PATH = /^\/v1\/payment_intents$/;
let faultFor: ((call: ProviderCall) => Fault | undefined) | undefined;
let clockOffsetMs = 0;
let testKit: PaymentTestKit;
const now = () => new Date(Date.now() + clockOffsetMs);

beforeEach(async () => {
  faultFor = undefined;
  clockOffsetMs = 0;
  testKit = await openPaymentTestKit({ withoutWebhooks: true, now, faults: { onCall: (call) => faultFor?.(call) } });
});
afterEach(async () => {
  faultFor = undefined;
  await testKit.close();
});

const failCreations = (fault: Fault, times = Infinity) => {
  let remaining = times;
  faultFor = ({ method, path }) =>
    method === 'POST' && CREATE_INTENT_PATH.test(path) && remaining-- > 0 ? fault : undefined;
};

async function expectPaymentSucceeds(
  { customer, order, total }: Awaited<ReturnType<PaymentTestKit['createUnpaidOrder']>>,
  intents = 1,
) {
  const { status, body } = await testKit.createIntent(customer, order._id, total);
  expect(status).toBe(200);
  const { intentId } = await testKit.confirm(body.clientSecret);
  expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
  expect([await testKit.countIntents(order._id), await testKit.countCharges(order._id)]).toEqual([intents, 1]);
  expect(await testKit.runAudit()).toEqual([]);
}

// Clause C.8.6
it('an intent is found by its idempotency key after an outage in which all responses were lost', async () => {
  const unpaidOrder = await testKit.createUnpaidOrder();
  failCreations({ drop: true });
  const refused = await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, unpaidOrder.total);
  expect([refused.status, refused.body.code]).toEqual([503, 'payment_provider_unavailable']);
  expect(await testKit.countIntents(unpaidOrder.order._id)).toBe(1);
  faultFor = undefined;
  await expectPaymentSucceeds(unpaidOrder);
});

it('an order can be paid once, although the responses to creating its intent are lost for a minute', async () => {
  const unpaidOrder = await testKit.createUnpaidOrder();
  const { customer, order, total } = unpaidOrder;
  failCreations({ drop: true });
  expect((await testKit.createIntent(customer, order._id, total)).status).toBe(503);
  clockOffsetMs = 61_000;
  expect((await testKit.createIntent(customer, order._id, total)).status).toBe(503);
  faultFor = undefined;
  await expectPaymentSucceeds(unpaidOrder, 2);
  const attempts = await testKit.queryRows(sql`
    select n, state from payment_attempts where order_id = ${order._id} order by n`);
  expect(attempts).toEqual([
    { n: 1, state: 'canceled' },
    { n: 2, state: 'succeeded' },
  ]);
});

it.each([429, 500] as const)(
  'if the provider answers %d, a payment request gets a 503, and a later one succeeds',
  async (status) => {
    const unpaidOrder = await testKit.createUnpaidOrder();
    failCreations({ status });
    const refused = await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, unpaidOrder.total);
    expect([refused.status, refused.body.code]).toEqual([503, 'payment_provider_unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await testKit.countIntents(unpaidOrder.order._id)).toBe(0);
    faultFor = undefined;
    await expectPaymentSucceeds(unpaidOrder);
  },
);

it('a payment attempt whose intent cannot be created remains open for a minute, and is then canceled', async () => {
  const { customer, order, total } = await testKit.createUnpaidOrder();
  const listAttempts = () =>
    testKit.queryRows(sql`select n, state from payment_attempts where order_id = ${order._id} order by n`);
  failCreations({ status: 500 });
  expect((await testKit.createIntent(customer, order._id, total)).status).toBe(503);
  expect(await listAttempts()).toEqual([{ n: 1, state: 'open' }]);
  clockOffsetMs = 61_000;
  expect((await testKit.createIntent(customer, order._id, total)).status).toBe(503);
  expect(await listAttempts()).toEqual([{ n: 1, state: 'canceled' }]);
});

it('while the provider is slow, a payment request gets a 503 before the browser gives up, and other requests are not delayed', async () => {
  const [unpaidOrder, startedOrder] = [await testKit.createUnpaidOrder(), await testKit.createUnpaidOrder()];
  await testKit.createIntent(startedOrder.customer, startedOrder.order._id, startedOrder.total);
  faultFor = ({ method }) => (method === 'POST' ? { delayMs: 3_600_000 } : undefined);
  const deadlines = recordTimers(CALL_DEADLINE_MS);
  let endedCount = 0;
  const slowRequests = [
    testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, unpaidOrder.total),
    testKit.call(startedOrder.customer, 'DELETE', `/order/${startedOrder.order._id}`),
  ].map((request) => request.finally(() => (endedCount += 1)));
  await deadlines.waitFor(2);
  for (let i = 0; i < 5; i++) await testKit.createUnpaidOrder({ customer: unpaidOrder.customer });
  const { body: ownOrders } = await testKit.call<unknown[]>(
    unpaidOrder.customer,
    'GET',
    `/order?email=${unpaidOrder.customer.email}`,
  );
  expect(ownOrders).toHaveLength(6);
  expect(endedCount).toBe(0);
  deadlines.end();
  for (const { status, body } of await Promise.all(slowRequests))
    expect([status, body.code]).toEqual([503, 'payment_provider_unavailable']);
  jest.restoreAllMocks();
});

it('while the provider is down, deleting and paying an order change nothing, and afterwards both work', async () => {
  const [{ customer, order, intentId }, startedOrder] = [
    await testKit.createChargedOrder(),
    await testKit.createUnpaidOrder(),
  ];
  await testKit.createIntent(startedOrder.customer, startedOrder.order._id, startedOrder.total);
  const deleteOrder = () => testKit.call(startedOrder.customer, 'DELETE', `/order/${startedOrder.order._id}`);
  faultFor = () => ({ status: 500 });
  const responses = [await testKit.patchOrder(customer, order._id, intentId), await deleteOrder()];
  expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
    responses.map(() => [503, 'payment_provider_unavailable']),
  );
  expect((await testKit.sendWebhook(testKit.webhookEvent(intentId))).status).toBe(503);
  expect([await testKit.stateOf(order._id), await testKit.stateOf(startedOrder.order._id)]).toEqual([
    'unpaid',
    'unpaid',
  ]);
  faultFor = undefined;
  expect((await deleteOrder()).status).toBe(204);
  expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
  expect(await testKit.runAudit()).toEqual([]);
});

it('a payment starts with a single call to the provider, because the idempotency key is still valid', async () => {
  const { customer, order, total } = await testKit.createUnpaidOrder();
  const calls: string[] = [];
  faultFor = ({ method, path }) => void calls.push(`${method} ${path}`);
  expect((await testKit.createIntent(customer, order._id, total)).status).toBe(200);
  expect(calls).toEqual(['POST /v1/payment_intents']);
});
