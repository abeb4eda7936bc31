import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/jobs/sweep';
import { startCrashingServer } from '../../support/server';
import { CARDS } from '../../support/cards';
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

async function startPayment(kit = testKit) {
  const payment = await kit.createUnpaidOrder();
  const { clientSecret } = (await kit.createIntent(payment.customer, payment.order._id, payment.total)).body;
  return { ...payment, clientSecret, intentId: clientSecret.split('_secret_')[0]! };
}
type StartedPayment = Awaited<ReturnType<typeof startPayment>>;

async function decline({ clientSecret }: StartedPayment, times: number, kit = testKit) {
  for (let n = 0; n < times; n++) await kit.confirm(clientSecret, CARDS.declined);
}
const statusOf = async ({ intentId }: StartedPayment, kit = testKit) =>
  (await kit.provider.findIntent(intentId))?.status;
const startAgain = ({ customer, order, total }: StartedPayment, kit = testKit) =>
  kit.createIntent(customer, order._id, total);
const attemptsOf = ({ order }: StartedPayment) =>
  testKit.queryRows(sql`select state, refused_until is not null as refused from payment_attempts
    where order_id = ${order._id} order by n`);

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
    expect([await statusOf(payment), await attemptsOf(payment)]).toEqual([
      'canceled',
      [{ state: 'canceled', refused: true }],
    ]);
    await expectRefused(payment);
  });

  it('a new payment is refused for an hour and then succeeds', async () => {
    const payment = await startPayment();
    await decline(payment, 10);
    await expectRefused(payment);
    expect(await statusOf(payment)).toBe('canceled');
    await expectRefused(payment);
    for (const [seconds, wait] of [
      [3_600, 'in an hour'],
      [3_540, 'in 59 minutes'],
      [118, 'in 2 minutes'],
      [58, 'in a minute'],
    ] as const) {
      await testKit.queryRows(sql`update payment_attempts set refused_until = now() + make_interval(secs => ${seconds})
        where order_id = ${payment.order._id}`);
      expect((await startAgain(payment)).body.detail).toBe(`Too many declined cards. You can try again ${wait}.`);
    }
    await testKit.queryRows(sql`update payment_attempts set refused_until = refused_until - interval '1 hour'
      where order_id = ${payment.order._id}`);
    const { body } = await startAgain(payment);
    const { intentId } = await testKit.confirm(body.clientSecret);
    expect(intentId).not.toBe(payment.intentId);
    expect((await testKit.patchOrder(payment.customer, payment.order._id, intentId)).body.paid).toBe(true);
  });

  it('a refused payment does not reserve the stock again, and the order can be deleted', async () => {
    const payment = await startPayment();
    await decline(payment, 10);
    await expectRefused(payment);
    await testKit.endHold(payment.order._id);
    await expectRefused(payment);
    expect(await testKit.readAvailable(payment.tool.id)).toBe(100);
    expect((await testKit.call(payment.customer, 'DELETE', `/order/${payment.order._id}`)).status).toBe(204);
  });

  it('another order of the same customer can be paid', async () => {
    const payment = await startPayment();
    await decline(payment, 10);
    await expectRefused(payment);
    const otherOrder = await testKit.createUnpaidOrder({ customer: payment.customer });
    expect((await testKit.createIntent(otherOrder.customer, otherOrder.order._id, otherOrder.total)).status).toBe(200);
  });

  it('the payment is canceled even if declines and webhooks are handled simultaneously', async () => {
    const payment = await startPayment();
    await Promise.all(Array.from({ length: 20 }, () => testKit.confirm(payment.clientSecret, CARDS.declined)));
    const events = Array.from({ length: 10 }, () =>
      testKit.webhookEvent(payment.intentId, 'payment_intent.payment_failed'),
    );
    const responses = await Promise.all(events.map((event) => testKit.sendWebhook(event)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await statusOf(payment), await attemptsOf(payment)]).toEqual([
      'canceled',
      [{ state: 'canceled', refused: true }],
    ]);
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
      expect(await attemptsOf(payment)).toEqual([{ state: 'open', refused: true }]);
      await expectRefused(payment);
      if (trigger === 'sweep') await sweepOnce(testKit.deps);
      else await testKit.sendWebhook(testKit.webhookEvent(payment.intentId, 'payment_intent.payment_failed'));
      expect([await statusOf(payment), await attemptsOf(payment)]).toEqual([
        'canceled',
        [{ state: 'canceled', refused: true }],
      ]);
      await expectRefused(payment);
    },
  );

  it('a new payment is refused even if a webhook ends the old one in the meantime', async () => {
    const payment = await startPayment();
    await decline(payment, 10);
    testKit.runBefore('pause after declines', () =>
      testKit.sendWebhook(testKit.webhookEvent(payment.intentId, 'payment_intent.payment_failed')),
    );
    await expectRefused(payment);
    expect([await statusOf(payment), await attemptsOf(payment)]).toEqual([
      'canceled',
      [{ state: 'canceled', refused: true }],
    ]);
  });

  it('a card that succeeds just before the payment is canceled pays the order', async () => {
    const payment = await startPayment();
    await decline(payment, 10);
    testKit.runBefore('cancel declined intent', () => testKit.confirm(payment.clientSecret));
    const { status, body } = await startAgain(payment);
    expect([status, body.code, await testKit.stateOf(payment.order._id)]).toEqual([409, 'order_paid', 'paid']);
    expect([await statusOf(payment), await testKit.countCharges(payment.order._id)]).toEqual(['succeeded', 1]);
  });
});

it('a card that succeeds on the tenth try pays the order, and nothing is canceled', async () => {
  const payment = await startPayment();
  await decline(payment, 9);
  await sweepOnce(testKit.deps);
  await testKit.confirm(payment.clientSecret);
  await testKit.sendWebhook(testKit.webhookEvent(payment.intentId, 'payment_intent.payment_failed'));
  expect([await statusOf(payment), await testKit.stateOf(payment.order._id)]).toEqual(['succeeded', 'paid']);
  expect(await attemptsOf(payment)).toEqual([{ state: 'succeeded', refused: false }]);
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

it('only declined charges are counted, not the one that then pays', async () => {
  const payment = await startPayment();
  await decline(payment, 2);
  await testKit.confirm(payment.clientSecret);
  expect(await testKit.provider.countDeclines(payment.intentId)).toBe(2);
  expect((await testKit.patchOrder(payment.customer, payment.order._id, payment.intentId)).status).toBe(200);
});
