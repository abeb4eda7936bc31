import { sql } from 'drizzle-orm';
import type { Fault } from '../../../embedded/stripe';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { recordTimers } from '../../support/timers';
import { sweepOnce } from '../../../server/jobs/sweep';
import { advanceMonotonicClock } from '../../support/shop';

describe('Faults of the provider', () => {
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

  it('an order is not deleted while the provider fails, if a slower request saves the intent of its payment meanwhile', async () => {
    const { customer, order, total } = await testKit.createUnpaidOrder();
    const deleteOrder = () => testKit.call(customer, 'DELETE', `/order/${order._id}`);
    const isDeleting = new Promise<void>((resolve) =>
      testKit.runBefore('finish delete', async () => {
        resolve();
        await started;
      }),
    );
    const isCreated = new Promise<void>((resolve) =>
      testKit.runBefore('save intent', () => {
        resolve();
        return isDeleting;
      }),
    );
    const started = testKit.createIntent(customer, order._id, total);
    await isCreated;
    clockOffsetMs = 31_000;
    failCreations({ status: 500 });
    expect((await deleteOrder()).body.code).toBe('payment_in_progress');
    const { status, intentId } = await started;
    expect([status, (await deleteOrder()).status]).toEqual([200, 204]);
    expect((await testKit.deps.provider.findIntent(intentId))?.status).toBe('canceled');
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

  it('a payment starts with a single call to the provider, because the idempotency key is still valid', async () => {
    const { customer, order, total } = await testKit.createUnpaidOrder();
    const calls: string[] = [];
    faultFor = ({ method, path }) => void calls.push(`${method} ${path}`);
    expect((await testKit.createIntent(customer, order._id, total)).status).toBe(200);
    expect(calls).toEqual(['POST /v1/payment_intents']);
  });
});

describe('An outage of the provider', () => {
  const OUTAGE_MINUTES = 10;
  let isProviderDown = false;
  let clockOffsetMs = 0;
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    const onCall = () => (isProviderDown ? ({ status: 500 } as const) : undefined);
    testKit = await openPaymentTestKit({
      withoutWebhooks: true,
      now: () => new Date(Date.now() + clockOffsetMs),
      faults: { onCall },
    });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await testKit.close();
  });

  const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];
  const UNAVAILABLE = [503, 'payment_provider_unavailable'];

  it('if the provider is down for ten minutes, no order or payment is lost, and everything works as soon as it is back', async () => {
    const [paid, unpaid, abandoned] = [
      await testKit.createChargedOrder(),
      await testKit.createUnpaidOrder(),
      await testKit.createChargedOrder(),
    ];
    const [deleted, untouched] = [await testKit.createUnpaidOrder(), await testKit.createUnpaidOrder()];
    const { intentId: openIntent } = await testKit.confirm(
      (await testKit.createIntent(deleted.customer, deleted.order._id, deleted.total)).body.clientSecret,
      'no card',
    );
    const event = testKit.webhookEvent(abandoned.intentId);
    isProviderDown = true;
    const placed = [unpaid];
    for (let minute = 0; minute < OUTAGE_MINUTES; minute++, clockOffsetMs += 60_000) {
      await sweepOnce(testKit.deps);
      for (const response of [
        await testKit.createIntent(unpaid.customer, unpaid.order._id, unpaid.total),
        await testKit.patchOrder(paid.customer, paid.order._id, paid.intentId),
        await testKit.call(deleted.customer, 'DELETE', `/order/${deleted.order._id}`),
      ]) {
        expect(codeOf(response)).toEqual(UNAVAILABLE);
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect((await testKit.sendWebhook(event)).status).toBe(503);
      expect((await testKit.call(null, 'GET', '/tool')).status).toBe(200);
      placed.push(await testKit.createUnpaidOrder());
    }
    expect((await testKit.call(untouched.customer, 'DELETE', `/order/${untouched.order._id}`)).status).toBe(204);
    expect(
      await Promise.all([paid, abandoned, unpaid, deleted].map(({ order }) => testKit.stateOf(order._id))),
    ).toEqual(Array(4).fill('unpaid'));

    isProviderDown = false;
    // Ends the pause of the circuit breaker.
    advanceMonotonicClock(5_100);
    await sweepOnce(testKit.deps);
    expect(await Promise.all([paid, abandoned].map(({ order }) => testKit.stateOf(order._id)))).toEqual([
      'paid',
      'paid',
    ]);
    expect((await testKit.call(deleted.customer, 'DELETE', `/order/${deleted.order._id}`)).status).toBe(204);
    expect((await testKit.provider.findIntent(openIntent))?.status).toBe('canceled');
    for (const { customer, order, total } of placed) {
      const { intentId } = await testKit.confirm(
        (await testKit.createIntent(customer, order._id, total)).body.clientSecret,
      );
      expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
      expect([await testKit.countIntents(order._id), await testKit.countCharges(order._id)]).toEqual([1, 1]);
    }
    expect(await testKit.runAudit()).toEqual([]);
  }, 120_000);
});

describe('Lost responses', () => {
  const CONFIRM = /\/confirm$/;
  let isResponseLost = false;
  const faults = {
    onCall: ({ path }: { path: string }) => (isResponseLost && CONFIRM.test(path) ? { drop: true } : undefined),
  };

  /** Charges the card and loses the response to the browser. */
  async function confirmWithLostResponse(testKit: PaymentTestKit) {
    const payment = await testKit.createUnpaidOrder();
    const { body, intentId } = await testKit.createIntent(payment.customer, payment.order._id, payment.total);
    isResponseLost = true;
    await expect(testKit.confirm(body.clientSecret)).rejects.toThrow('fetch failed');
    isResponseLost = false;
    expect(await testKit.countCharges(payment.order._id)).toBe(1);
    return { ...payment, intentId, clientSecret: body.clientSecret };
  }

  async function expectPaidOnce(
    testKit: PaymentTestKit,
    { customer, order, intentId }: Awaited<ReturnType<typeof confirmWithLostResponse>>,
  ) {
    expect((await testKit.call(customer, 'GET', `/order/${order._id}`)).body).toMatchObject({
      paid: true,
      transactionId: intentId,
    });
    expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
    expect([await testKit.countCharges(order._id), await testKit.countRowsOf('payments', order._id)]).toEqual([1, 1]);
    expect(await testKit.runAudit()).toEqual([]);
  }

  describe('A charge whose response is lost', () => {
    let testKit: PaymentTestKit;
    beforeAll(async () => {
      testKit = await openPaymentTestKit({ withoutWebhooks: true, faults });
    });
    afterAll(() => testKit.close());

    it('is not repeated when the browser confirms again', async () => {
      const payment = await confirmWithLostResponse(testKit);
      const secondConfirm = await testKit.confirm(payment.clientSecret);
      expect(secondConfirm.error?.code).toBe('payment_intent_unexpected_state');
      expect((await testKit.patchOrder(payment.customer, payment.order._id, payment.intentId)).status).toBe(200);
      await expectPaidOnce(testKit, payment);
    });
  });

  it('deleting an order whose payment attempt never got an intent does not cancel the intent of another order', async () => {
    const testKit = await openPaymentTestKit({ withoutWebhooks: true });
    try {
      const orderWithoutIntent = await testKit.createUnpaidOrder();
      await testKit.queryRows(sql`
      insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
      values (${orderWithoutIntent.order._id}, 1, 'never used', 1400, 'usd', now() - interval '1 minute')`);
      const otherOrder = await testKit.createUnpaidOrder();
      const { intentId } = await testKit.createIntent(otherOrder.customer, otherOrder.order._id, otherOrder.total);
      const deleted = await testKit.call(
        orderWithoutIntent.customer,
        'DELETE',
        `/order/${orderWithoutIntent.order._id}`,
      );
      expect([deleted.status, await testKit.stateOf(orderWithoutIntent.order._id)]).toEqual([204, 'deleted']);
      expect((await testKit.deps.provider.findIntent(intentId))?.status).toBe('requires_payment_method');
    } finally {
      await testKit.close();
    }
  });
});
