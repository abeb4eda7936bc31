import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { paymentAttempts, providerEvents } from '../../../server/db/schema';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { startShop } from '../../support/shop';
import { sweepOnce } from '../../../server/jobs/sweep';
import { startCrashingServer } from '../../support/server';

describe('Webhooks', () => {
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    testKit = await openPaymentTestKit({ withoutWebhooks: true });
  });
  afterEach(async () => {
    expect(await testKit.runAudit()).toEqual([]);
  });
  afterAll(() => testKit.close());

  describe('A webhook', () => {
    // Clause C.8.9
    it('with a valid signature has its payment recorded even if the browser never returns', async () => {
      const { customer, order, intentId } = await testKit.createChargedOrder();
      expect(await testKit.sendWebhook(testKit.webhookEvent(intentId))).toMatchObject({
        status: 200,
        body: { received: true },
      });
      expect((await testKit.call(customer, 'GET', `/order/${order._id}`)).body).toMatchObject({
        paid: true,
        transactionId: intentId,
      });
      const attempts = testKit.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, order._id));
      expect(await attempts).toMatchObject([{ n: 1, state: 'succeeded', intentId }]);
    });

    it('with a forged signature is refused before the database is used', async () => {
      const ownKit = await openPaymentTestKit({ withoutWebhooks: true });
      const { order, intentId } = await ownKit.createChargedOrder();
      // Stops the catalog's own queries, because this test counts all queries.
      await ownKit.deps.catalog.close();
      const raw = ownKit.webhookEvent(intentId);
      const validSignature = ownKit.signWebhook(raw);
      const databaseCalls = [
        jest.spyOn(ownKit.deps.db.$client, 'query'),
        jest.spyOn(ownKit.deps.db.$client, 'connect'),
      ];
      const forged: [string, string | null][] = [
        [raw, null],
        [raw, ''],
        [raw, 'nonsense'],
        [raw, validSignature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
        [raw, ownKit.signWebhook(raw, Math.floor(Date.now() / 1000) - 301)],
        [raw.replace('succeeded', 'succeedeD'), validSignature],
        [`${raw} `, validSignature],
        ['', validSignature],
        ['{', null],
      ];
      for (const [body, signature] of forged) {
        const response = await ownKit.sendWebhook(body, signature);
        expect([signature, response.status, response.body.code]).toEqual([signature, 400, 'bad_signature']);
      }
      expect(databaseCalls.map(({ mock }) => mock.calls)).toEqual([[], []]);
      jest.restoreAllMocks();
      expect(await ownKit.stateOf(order._id)).toBe('unpaid');
      expect((await ownKit.sendWebhook(raw)).status).toBe(200);
      await ownKit.close();
    });

    it('that is repeated, late or of an unhandled type has no further effect', async () => {
      const { order, intentId, customer } = await testKit.createChargedOrder();
      const raw = testKit.webhookEvent(intentId);
      const responses = await Promise.all([
        testKit.sendWebhook(raw),
        testKit.sendWebhook(raw),
        testKit.patchOrder(customer, order._id, intentId),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      const providerCalls = jest.spyOn(testKit.deps.provider, 'findIntent');
      expect((await testKit.sendWebhook(raw)).status).toBe(200);
      for (const type of ['payment_intent.payment_failed', 'payment_intent.canceled', 'customer.created'])
        expect((await testKit.sendWebhook(testKit.webhookEvent(intentId, type))).status).toBe(200);
      expect(providerCalls.mock.calls).toEqual([]);
      providerCalls.mockRestore();
      expect([await testKit.stateOf(order._id), await testKit.countRowsOf('payments', order._id)]).toEqual(['paid', 1]);
    });

    it('gets a 200 even if the same event is delivered again while it is being handled', async () => {
      const { order, intentId } = await testKit.createChargedOrder();
      const raw = testKit.webhookEvent(intentId);
      const statuses: number[] = [];
      testKit.runBefore('settle', async () => void statuses.push((await testKit.sendWebhook(raw)).status));
      statuses.push((await testKit.sendWebhook(raw)).status);
      expect(statuses).toEqual([200, 200]);
      expect([await testKit.stateOf(order._id), await testKit.countRowsOf('payments', order._id)]).toEqual(['paid', 1]);
    });

    it('for an intent of another shop is acknowledged and ignored', async () => {
      const draft = { amountCents: 1400, currency: 'usd', metadata: { app: 'another' }, idempotencyKey: randomUUID() };
      const { id } = await testKit.provider.createIntent(draft);
      expect((await testKit.sendWebhook(testKit.webhookEvent(id))).status).toBe(200);
      expect((await testKit.sendWebhook(testKit.webhookEvent('pi_unknown'))).status).toBe(200);
      expect(await testKit.queryRows(sql`select from payments where intent_id in (${id}, 'pi_unknown')`)).toEqual([]);
    });

    it('is recorded as handled only after it has taken effect', async () => {
      const { intentId, order } = await testKit.createChargedOrder();
      const id = `evt_${randomUUID()}`;
      testKit.runBefore('settle', () => Promise.reject(new Error('a simulated failure')));
      expect((await testKit.sendWebhook(testKit.webhookEvent(intentId, undefined, id))).status).toBe(500);
      const countEvents = () => testKit.deps.db.$count(providerEvents, eq(providerEvents.id, id));
      expect([await countEvents(), await testKit.stateOf(order._id)]).toEqual([0, 'unpaid']);
      expect((await testKit.sendWebhook(testKit.webhookEvent(intentId, undefined, id))).status).toBe(200);
      expect([await countEvents(), await testKit.stateOf(order._id)]).toEqual([1, 'paid']);
    });
  });

  // Clause C.8.9
  it.each([
    ['does not exist without a signing secret', {}, 404],
    ['refuses events without a signature', { STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 400],
  ])('with Stripe, the webhook route %s', async (_, secret, status) => {
    const env = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', ...secret };
    const shop = await startShop({ env });
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(`${shop.origin}/webhooks/stripe`, options)).status).toBe(status);
    await shop.close();
  });
});

describe('A killed server', () => {
  let testKit: PaymentTestKit;
  let clockOffsetMs = 0;
  beforeAll(async () => {
    testKit = await openPaymentTestKit({ withoutWebhooks: true, now: () => new Date(Date.now() + clockOffsetMs) });
  });
  afterAll(() => testKit.close());

  type UnpaidOrder = Awaited<ReturnType<PaymentTestKit['createUnpaidOrder']>>;

  /** Sends a request to a server that is killed before it responds. */
  async function sendToCrashingServer(
    step: string,
    { customer }: UnpaidOrder,
    method: string,
    path: string,
    body: object,
  ) {
    const crashingServer = await startCrashingServer(testKit.database!.connection, step);
    try {
      const headers = { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' };
      const request = fetch(crashingServer.origin + path, { method, headers, body: JSON.stringify(body) });
      await expect(request).rejects.toThrow();
      expect((await crashingServer.exited)[1]).toBe('SIGKILL');
    } finally {
      crashingServer.kill();
    }
  }

  const expectPaidOnce = async ({ order, tool }: UnpaidOrder) => {
    expect(await testKit.stateOf(order._id)).toBe('paid');
    expect([await testKit.countIntents(order._id), await testKit.countCharges(order._id)]).toEqual([1, 1]);
    expect(await testKit.countRowsOf('payments', order._id)).toBe(1);
    expect(await testKit.readAvailable(tool.id)).toBe(98);
    expect(await testKit.runAudit()).toEqual([]);
  };

  afterEach(() => {
    clockOffsetMs = 0;
  });

  // Clause C.8.6
  it.each(['create intent', 'save intent'])(
    'an order is paid with one intent, one charge and one stock change, although a server was killed right before the step “%s”',
    async (step) => {
      const unpaidOrder = await testKit.createUnpaidOrder();
      const { customer, order, total } = unpaidOrder;
      await sendToCrashingServer(step, unpaidOrder, 'POST', `/create-payment-intent?order=${order._id}`, {
        totalPrice: total,
      });
      clockOffsetMs = 31_000;
      const { status, body } = await testKit.createIntent(customer, order._id, total);
      expect(status).toBe(200);
      const { intentId } = await testKit.confirm(body.clientSecret);
      expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
      await expectPaidOnce(unpaidOrder);
    },
  );

  it('a payment whose server is killed before it can settle it is recorded exactly once, by the sweep', async () => {
    const unpaidOrder = await testKit.createChargedOrder();
    const { order, intentId } = unpaidOrder;
    await sendToCrashingServer('settle', unpaidOrder, 'PATCH', `/order/${order._id}`, {
      order: order._id,
      transactionId: intentId,
    });
    expect(await testKit.stateOf(order._id)).toBe('unpaid');
    await sweepOnce(testKit.deps);
    await expectPaidOnce(unpaidOrder);
  });

  it('a recorded payment is not lost if the server is killed right after its response', async () => {
    const unpaidOrder = await testKit.createChargedOrder();
    const { order, intentId, customer } = unpaidOrder;
    const crashingServer = await startCrashingServer(testKit.database!.connection, 'never');
    const headers = { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ order: order._id, transactionId: intentId });
    const { status } = await fetch(`${crashingServer.origin}/order/${order._id}`, { method: 'PATCH', headers, body });
    crashingServer.kill();
    await crashingServer.exited;
    expect(status).toBe(200);
    expect(await testKit.queryRows(sql`select intent_id from payments where order_id = ${order._id}`)).toEqual([
      { intent_id: intentId },
    ]);
    await expectPaidOnce(unpaidOrder);
  });
});
