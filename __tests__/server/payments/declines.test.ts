import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/jobs/sweep';
import { settle } from '../../../server/payments/settlePayment';
import { startCrashingServer } from '../../support/server';
import { CARDS } from '../../support/cards';
import type { Customer } from '../../support/customers';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { expectEventually } from '../../support/wait';

let testKit: PaymentTestKit;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
});
afterAll(() => testKit.close());
afterEach(async () => {
  expect(await testKit.runAudit()).toEqual([]);
});

async function startPayment(kit = testKit, customer?: Customer) {
  const payment = await kit.createUnpaidOrder({ customer });
  const { body, intentId } = await kit.createIntent(payment.customer, payment.order._id, payment.total);
  return { ...payment, clientSecret: body.clientSecret, intentId };
}
type StartedPayment = Awaited<ReturnType<typeof startPayment>>;

async function decline({ clientSecret }: StartedPayment, times: number, kit = testKit) {
  for (let n = 0; n < times; n++) await kit.confirm(clientSecret, CARDS.declined);
}
const statusOf = async ({ intentId }: StartedPayment, kit = testKit) =>
  (await kit.provider.findIntent(intentId))?.status;
const startAgain = ({ customer, order, total }: StartedPayment, kit = testKit) =>
  kit.createIntent(customer, order._id, total);
const attemptsOf = async ({ order }: StartedPayment) =>
  (await testKit.queryRows(sql`select state from payment_attempts where order_id = ${order._id} order by n`)).map(
    ({ state }) => state,
  );
const moveDeclines = (seconds: number, kit = testKit) =>
  kit.queryRows(sql`update declines set at = at - make_interval(secs => ${seconds})`);
const deleteOrder = ({ customer, order }: StartedPayment, kit = testKit) =>
  kit.call(customer, 'DELETE', `/order/${order._id}`);

async function expectRefused(payment: StartedPayment, kit = testKit) {
  const { status, body, headers } = await startAgain(payment, kit);
  expect([status, body.code]).toEqual([429, 'too_many_declines']);
  expect(body).toMatchObject({
    detail: expect.stringMatching(/^Too many declined cards\. You can try again in (an hour|\d+ minutes)\./),
  });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
}

describe('After ten declined cards', () => {
  it('the payment is canceled when the webhook reports them', async () => {
    const ownKit = await openPaymentTestKit();
    const payment = await startPayment(ownKit);
    await decline(payment, 9, ownKit);
    expect(await statusOf(payment, ownKit)).toBe('requires_payment_method');
    await decline(payment, 1, ownKit);
    await expectEventually(() => statusOf(payment, ownKit), 'canceled');
    expect((await ownKit.confirm(payment.clientSecret)).error?.code).toBe('payment_intent_unexpected_state');
    await expectRefused(payment, ownKit);
    await ownKit.close();
  });

  it('the payment is canceled by the sweep if no webhook arrives', async () => {
    const payment = await startPayment();
    await decline(payment, 9);
    await sweepOnce(testKit.deps);
    expect((await startAgain(payment)).body.clientSecret).toBe(payment.clientSecret);
    await decline(payment, 1);
    await sweepOnce(testKit.deps);
    expect([await statusOf(payment), await attemptsOf(payment)]).toEqual(['canceled', ['canceled']]);
    await expectRefused(payment);
  });

  it('a new payment is refused for an hour and then succeeds', async () => {
    const payment = await startPayment();
    await decline(payment, 10);
    await expectRefused(payment);
    expect(await statusOf(payment)).toBe('canceled');
    await expectRefused(payment);
    await moveDeclines(3_600);
    const { body } = await startAgain(payment);
    const { intentId } = await testKit.confirm(body.clientSecret);
    expect(intentId).not.toBe(payment.intentId);
    expect((await testKit.patchOrder(payment.customer, payment.order._id, intentId)).body.paid).toBe(true);
  });

  it("the customer's other payments are canceled, and none of their orders can be paid", async () => {
    const payment = await startPayment();
    const other = await startPayment(testKit, payment.customer);
    await decline(other, 4);
    await decline(payment, 6);
    await sweepOnce(testKit.deps);
    expect([await statusOf(payment), await statusOf(other)]).toEqual(['canceled', 'canceled']);
    for (const order of [payment, other, await testKit.createUnpaidOrder({ customer: payment.customer })])
      await expectRefused(order as StartedPayment);
  });

  it('a new payment is refused even if a webhook ends the old one in the meantime', async () => {
    const payment = await startPayment();
    await decline(payment, 10);
    testKit.runBefore('record declines', () =>
      testKit.sendWebhook(testKit.webhookEvent(payment.intentId, 'payment_intent.payment_failed')),
    );
    await expectRefused(payment);
    expect([await statusOf(payment), await attemptsOf(payment)]).toEqual(['canceled', ['canceled']]);
  });

  it('the payment is canceled even if declines and webhooks are handled simultaneously', async () => {
    const payment = await startPayment();
    await Promise.all(Array.from({ length: 20 }, () => testKit.confirm(payment.clientSecret, CARDS.declined)));
    const events = Array.from({ length: 10 }, () =>
      testKit.webhookEvent(payment.intentId, 'payment_intent.payment_failed'),
    );
    const responses = await Promise.all(events.map((event) => testKit.sendWebhook(event)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await statusOf(payment), await attemptsOf(payment)]).toEqual(['canceled', ['canceled']]);
    await expectRefused(payment);
  });

  it.each(['sweep', 'webhook'])(
    'the payment is canceled by the next %s if the server was killed before it could cancel it',
    async (trigger) => {
      const payment = await startPayment();
      await decline(payment, 10);
      const crashingServer = await startCrashingServer(testKit.database!.connection, 'cancel declined intent');
      const headers = { authorization: `Bearer ${payment.customer.token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ totalPrice: payment.total });
      const path = `/create-payment-intent?order=${payment.order._id}`;
      await expect(fetch(crashingServer.origin + path, { method: 'POST', headers, body })).rejects.toThrow();
      expect((await crashingServer.exited)[1]).toBe('SIGKILL');
      expect(await attemptsOf(payment)).toEqual(['open']);
      await expectRefused(payment);
      if (trigger === 'sweep') await sweepOnce(testKit.deps);
      else await testKit.sendWebhook(testKit.webhookEvent(payment.intentId, 'payment_intent.payment_failed'));
      expect([await statusOf(payment), await attemptsOf(payment)]).toEqual(['canceled', ['canceled']]);
      await expectRefused(payment);
    },
  );

  it('a card that succeeds just before the payment is canceled pays the order', async () => {
    const payment = await startPayment();
    await decline(payment, 10);
    testKit.runBefore('cancel declined intent', () => testKit.confirm(payment.clientSecret));
    const { status, body } = await startAgain(payment);
    expect([status, body.code, await testKit.stateOf(payment.order._id)]).toEqual([409, 'order_paid', 'paid']);
    expect([await statusOf(payment), await testKit.countCharges(payment.order._id)]).toEqual(['succeeded', 1]);
  });
});

it('a declined card that an event reported counts, although another one then pays', async () => {
  const payment = await startPayment();
  await decline(payment, 2);
  await testKit.sendWebhook(testKit.webhookEvent(payment.intentId, 'payment_intent.payment_failed'));
  await testKit.confirm(payment.clientSecret);
  expect((await testKit.patchOrder(payment.customer, payment.order._id, payment.intentId)).status).toBe(200);
  const next = await startPayment(testKit, payment.customer);
  await decline(next, 8);
  await expectRefused(next);
});

it('a card that succeeds on the tenth try pays the order, and nothing is canceled', async () => {
  const payment = await startPayment();
  await decline(payment, 9);
  await sweepOnce(testKit.deps);
  await testKit.confirm(payment.clientSecret);
  await testKit.sendWebhook(testKit.webhookEvent(payment.intentId, 'payment_intent.payment_failed'));
  expect([await statusOf(payment), await testKit.stateOf(payment.order._id)]).toEqual(['succeeded', 'paid']);
  expect(await attemptsOf(payment)).toEqual(['succeeded']);
});

it('a payment to another shop with the same Stripe account is never canceled', async () => {
  const { customer, order } = await startPayment();
  const draft = { amountCents: 1400, currency: 'usd', metadata: { app: 'another' }, idempotencyKey: randomUUID() };
  const { id, clientSecret } = await testKit.provider.createIntent(draft);
  for (let n = 0; n < 10; n++) await testKit.confirm(clientSecret!, CARDS.declined);
  await testKit.sendWebhook(testKit.webhookEvent(id, 'payment_intent.payment_failed'));
  expect((await testKit.patchOrder(customer, order._id, id)).status).toBe(422);
  expect((await testKit.provider.findIntent(id))?.status).toBe('requires_payment_method');
});

it.each([true, false])('declined cards count if their order is deleted (webhooks arrive: %p)', async (hasWebhooks) => {
  const kit = hasWebhooks ? await openPaymentTestKit() : testKit;
  const first = await startPayment(kit);
  await decline(first, 6, kit);
  expect((await deleteOrder(first, kit)).status).toBe(204);
  const second = await startPayment(kit, first.customer);
  await decline(second, 4, kit);
  expect((await deleteOrder(second, kit)).status).toBe(204);
  await expectRefused((await kit.createUnpaidOrder({ customer: first.customer })) as StartedPayment, kit);
  await moveDeclines(3_600, kit);
  const { clientSecret, intentId, customer, order } = await startPayment(kit, first.customer);
  await kit.confirm(clientSecret);
  expect((await kit.patchOrder(customer, order._id, intentId)).body.paid).toBe(true);
  if (hasWebhooks) await kit.close();
});

it('customers in the same network can pay until thirty cards were declined there', async () => {
  const kit = await openPaymentTestKit({ withoutWebhooks: true, env: { RATE_LIMIT: 'on' } });
  for (let n = 0; n < 3; n++) {
    const payment = await startPayment(kit);
    await decline(payment, 10, kit);
    await expectRefused(payment, kit);
    const { status } = await startAgain((await kit.createUnpaidOrder()) as StartedPayment, kit);
    expect(status).toBe(n < 2 ? 200 : 429);
  }
  await moveDeclines(3_600, kit);
  await startPayment(kit);
  expect((await kit.queryRows(sql`select from declines`)).length).toBe(30);
  await sweepOnce(kit.deps);
  expect((await kit.queryRows(sql`select from declines`)).length).toBe(0);
  await kit.close();
});

it('the limit is exact if several servers record declined cards at the same time', async () => {
  const first = await startPayment();
  const payments = [
    first,
    ...(await Promise.all(Array.from({ length: 4 }, () => startPayment(testKit, first.customer)))),
  ];
  for (const payment of payments) await decline(payment, 2);
  const blocker = await testKit.deps.db.$client.connect();
  await blocker.query('begin; lock table declines in share mode');
  const settled = Promise.all(payments.map(({ intentId }) => settle(testKit.deps, intentId)));
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const countWaiting = async () => (await testKit.queryRows(waiting)).length;
  await expectEventually(countWaiting, payments.length);
  await blocker.query('commit');
  blocker.release();
  await settled;
  expect(await Promise.all(payments.map((payment) => statusOf(payment)))).toEqual(Array(5).fill('canceled'));
});
