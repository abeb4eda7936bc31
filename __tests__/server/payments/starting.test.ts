import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { CARDS } from '../../support/cards';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import type { Customer } from '../../support/customers';

describe('Payments', () => {
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    testKit = await openPaymentTestKit({ withoutWebhooks: true });
  });
  afterEach(async () => expect(await testKit.runAudit()).toEqual([]));
  afterAll(() => testKit.close());

  const CARD = { brand: 'visa', last4: '4242' };
  const renameIntent = (id: string) =>
    testKit.queryRows(sql`update payment_attempts set intent_id = 'pi_elsewhere' where intent_id = ${id}`);
  const giveToOtherShop = (id: string) =>
    testKit.queryRows(
      sql`update embedded_stripe.intents set metadata = metadata || '{"shop": "other"}' where id = ${id}`,
    );
  const paidWith = (intentId: string) => ({ paid: true, transactionId: intentId, card: CARD });

  describe('POST /create-payment-intent', () => {
    // Clauses A.7.12, A.9.3, C.8.1, C.8.3, C.9.1
    it('returns the client secret of an intent with the total of the order in cents', async () => {
      const { customer, order } = await testKit.createUnpaidOrder({ price: 12, quantity: 30 });
      const { status, body, intentId } = await testKit.createIntent(customer, order._id, 360);
      expect(status).toBe(200);
      expect(body).toEqual({
        clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
        order: order._id,
        amount: 36_000,
        currency: 'usd',
      });
      expect(await testKit.provider.findIntent(intentId)).toMatchObject({
        amountCents: 36_000,
        metadata: { app: 'forgeline', order_id: order._id, attempt: '1' },
      });
    });

    // Clause C.8.2
    it("uses the caller's newest unpaid order with the given total if the request names no order", async () => {
      const { customer, tool } = await testKit.createUnpaidOrder({ price: 12, quantity: 30, stock: 200 });
      const newest = await testKit.placeOrder(customer, { productName: tool.name, toolId: tool.id, totalQuantity: 30 });
      const { body } = await testKit.call<{ order: string }>(customer, 'POST', '/create-payment-intent', {
        totalPrice: 360,
      });
      expect(body.order).toBe(newest.body._id);
      const noMatch = await testKit.call(customer, 'POST', '/create-payment-intent', { totalPrice: 361 });
      const detail = 'You have no unpaid order with this total.';
      expect([noMatch.status, noMatch.body.code, noMatch.body.detail]).toEqual([422, 'no_such_order', detail]);
    });

    // Clauses C.8.2, C.8.3
    it.each([1, 13, 15, 1e12])('refuses a total other than that of the order: %p', async (totalPrice) => {
      const { customer, order } = await testKit.createUnpaidOrder();
      const { status, body } = await testKit.createIntent(customer, order._id, totalPrice);
      const detail = 'The total of this order is now $14. Review it before you pay.';
      expect([status, body.code, body.meta, body.detail]).toEqual([409, 'total_mismatch', { total: 14 }, detail]);
      expect(await testKit.countIntents(order._id)).toBe(0);
    });

    // Clauses C.4.4, C.6.11
    it('refuses an order without a price', async () => {
      const { customer, order } = await testKit.createUnpaidOrder({ quantity: 101 });
      const { status, body } = await testKit.createIntent(customer, order._id, 707);
      expect([status, body.code]).toEqual([409, 'order_unpriced']);
    });

    // Clause C.8.4
    it('returns a single intent to all tabs and devices that request an intent simultaneously', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => testKit.createIntent(customer, order._id, total)),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(responses.map(({ body }) => body.clientSecret)).size).toBe(1);
      expect(await testKit.countIntents(order._id)).toBe(1);
      const clientSecret = responses[0]!.body.clientSecret;
      const confirmations = await Promise.all([testKit.confirm(clientSecret), testKit.confirm(clientSecret)]);
      expect(confirmations.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
      await testKit.patchOrder(customer, order._id, confirmations[0]!.intentId);
      expect([await testKit.countCharges(order._id), await testKit.countRowsOf('payments', order._id)]).toEqual([1, 1]);
    });

    // Clause C.8.7
    it('records the payment if its intent has already succeeded, and answers that the order is paid', async () => {
      const { customer, order, total, intentId } = await testKit.createChargedOrder();
      const { status, body } = await testKit.createIntent(customer, order._id, total);
      expect([status, body.code]).toEqual([409, 'order_paid']);
      expect((await testKit.call(customer, 'GET', `/order/${order._id}`)).body).toMatchObject(paidWith(intentId));
    });

    it('never uses an idempotency key that the provider may have forgotten', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      await testKit.createIntent(customer, order._id, total);
      await testKit.queryRows(sql`update payment_attempts set intent_id = null, lease_until = now(),
        created_at = now() - interval '24 hours' where order_id = ${order._id}`);
      expect((await testKit.createIntent(customer, order._id, total)).status).toBe(200);
      expect(
        await testKit.queryRows(sql`select state from payment_attempts where order_id = ${order._id} order by n`),
      ).toEqual([{ state: 'canceled' }, { state: 'open' }]);
    });

    it.each<[string, (intentId: string) => Promise<unknown>]>([
      ['was canceled', (id) => testKit.provider.cancelIntent(id)],
      ['is unknown after a change of the API keys', renameIntent],
      ['belongs to the shop whose backup was restored here', giveToOtherShop],
    ])('returns a new intent if the previous intent %s', async (_cause, lose) => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      const first = await testKit.createIntent(customer, order._id, total);
      await lose(first.intentId);
      const second = (await testKit.createIntent(customer, order._id, total)).body.clientSecret;
      expect(second).not.toBe(first.body.clientSecret);
      const { intentId } = await testKit.confirm(second);
      expect((await testKit.patchOrder(customer, order._id, intentId)).body).toMatchObject(paidWith(intentId));
    });
  });

  describe('PATCH /order/{id}', () => {
    // Clauses A.3.4, A.4.6, A.7.11, C.3.9, C.8.9
    it('marks the order as paid, and answers it as GET does, also if it is repeated', async () => {
      const { customer, order, intentId } = await testKit.createChargedOrder();
      const responses = [
        await testKit.patchOrder(customer, order._id, intentId),
        await testKit.patchOrder(customer, order._id, intentId),
      ];
      for (const { status, body } of responses) {
        expect(status).toBe(200);
        const paidAt: unknown = expect.stringMatching(/^\d{4}-.*Z$/);
        const invoice: unknown = expect.stringMatching(/^F-\d{6}$/);
        expect(body).toMatchObject({
          ...order,
          ...paidWith(intentId),
          status: 'paid',
          paidAt,
          invoice,
          heldUntil: null,
        });
        expect(body).toEqual((await testKit.call(customer, 'GET', `/order/${order._id}`)).body);
      }
      expect(responses[1]!.body).toEqual(responses[0]!.body);
      expect(await testKit.queryRows(sql`select * from payments where order_id = ${order._id}`)).toMatchObject([
        { intent_id: intentId, amount_cents: '1400', currency: 'usd' },
      ]);
    });

    // Clause C.8.11
    it('has one effect when it is sent twenty times simultaneously', async () => {
      const { customer, order, intentId } = await testKit.createChargedOrder();
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => testKit.patchOrder(customer, order._id, intentId)),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await testKit.countRowsOf('payments', order._id)).toBe(1);
    });

    // Clause C.8.10
    it('refuses an invalid transaction id and the id of an unpaid intent', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      for (const id of ['pi_madeup', 'nonsense', '../../etc', `pi_${'x'.repeat(200)}`, 'ch_1']) {
        const { status, body } = await testKit.patchOrder(customer, order._id, id);
        const errors = [{ field: 'transactionId', message: 'is not a payment of this shop.' }];
        expect([status, body.code, body.detail, body.errors]).toEqual([
          422,
          'validation',
          'Payment not found.',
          errors,
        ]);
      }
      const { intentId } = await testKit.createIntent(customer, order._id, total);
      const unconfirmed = await testKit.patchOrder(customer, order._id, intentId);
      expect(unconfirmed.body).toMatchObject({
        ...{ status: 402, code: 'payment_not_complete', meta: { status: 'requires_payment_method' } },
        detail: "The payment isn't complete yet, so the order is still unpaid. Try again in a moment.",
      });
      expect(await testKit.stateOf(order._id)).toBe('unpaid');
    });

    // Clause C.8.10
    it.each(['declined', 'authenticationRequired'] as const)(
      'does not record an unsuccessful card confirmation as paid: %s',
      async (card) => {
        const { customer, order, total } = await testKit.createUnpaidOrder();
        const { intentId } = await testKit.confirm(
          (await testKit.createIntent(customer, order._id, total)).body.clientSecret,
          CARDS[card],
        );
        expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(402);
        await testKit.provider.cancelIntent(intentId);
        expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(402);
        expect(await testKit.stateOf(order._id)).toBe('unpaid');
      },
    );

    // Clause C.8.10
    it('does not pay an expensive order with the intent of a cheap one', async () => {
      const cheap = await testKit.createChargedOrder({ price: 1, quantity: 1 });
      const expensive = await testKit.createUnpaidOrder({ price: 1000, quantity: 2, customer: cheap.customer });
      const response = await testKit.patchOrder(expensive.customer, expensive.order._id, cheap.intentId);
      const detail = 'This payment belongs to a different order.';
      expect(response).toMatchObject({ status: 409, body: { code: 'payment_already_used', detail } });
      expect(await testKit.stateOf(expensive.order._id)).toBe('unpaid');
      expect((await testKit.patchOrder(cheap.customer, cheap.order._id, cheap.intentId)).status).toBe(200);
    });

    // Clause C.8.10
    it('refuses an intent of another shop on the same account', async () => {
      const { customer, order } = await testKit.createUnpaidOrder();
      const metadata = { app: 'forgeline', shop: 'another', order_id: order._id, attempt: '1' };
      const draft = { amountCents: 1400, currency: 'usd', metadata, idempotencyKey: randomUUID() };
      const { clientSecret } = await testKit.provider.createIntent(draft);
      const { intentId } = await testKit.confirm(clientSecret!);
      expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(422);
      expect(await testKit.stateOf(order._id)).toBe('unpaid');
    });
  });

  describe('The stock of an order', () => {
    // Clause C.6.8
    it('is reserved again if a payment starts after the hold has ended', async () => {
      const { customer, order, total, tool } = await testKit.createUnpaidOrder({ quantity: 10, stock: 10 });
      await testKit.endHold(order._id);
      await testKit.deps.catalog.reportChange('tools');
      const readTool = () => testKit.call<{ availableQuantity: number }>(null, 'GET', `/tool/${tool.id}`);
      expect([await testKit.readAvailable(tool.id), (await readTool()).body.availableQuantity]).toEqual([10, 10]);
      expect((await testKit.createIntent(customer, order._id, total)).status).toBe(200);
      expect([await testKit.readAvailable(tool.id), (await readTool()).body.availableQuantity]).toEqual([0, 0]);
    });

    // Clauses C.4.5, C.6.9
    it("that others have reserved can't be reserved again, so the payment request gets a 409 before an intent is created", async () => {
      const { customer, order, total, tool } = await testKit.createUnpaidOrder({ quantity: 10, stock: 10 });
      await testKit.endHold(order._id);
      await testKit.placeOrder(await testKit.createCustomer(), {
        productName: tool.name,
        toolId: tool.id,
        totalQuantity: 4,
      });
      const { status, body } = await testKit.createIntent(customer, order._id, total);
      expect([status, body.code, body.meta]).toEqual([409, 'out_of_stock', { min: 1, available: 6 }]);
      expect(await testKit.countIntents(order._id)).toBe(0);
    });
  });
});

describe('The limits of payments', () => {
  let clockOffsetMs = 0;
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    testKit = await openPaymentTestKit({
      withoutWebhooks: true,
      env: { RATE_LIMIT: 'on' },
      now: () => new Date(Date.now() + clockOffsetMs),
    });
  });
  afterAll(() => testKit.close());

  /** Sends other write requests, which the limit on payment requests must not block. */
  async function sendOtherWrites(customer: Customer): Promise<number[]> {
    const { name, id } = await testKit.createTool();
    const review = { description: 'It holds.', ratings: 5, img: '/a.svg' };
    const profile = { address: '1 Road', phone: '555 0100', linkedIn: 'https://linkedin.example/in/ann' };
    const responses = [
      await testKit.placeOrder(customer, { productName: name, toolId: id, totalQuantity: 1 }),
      await testKit.call(customer, 'POST', '/review', review),
      await testKit.call(customer, 'POST', '/profile', profile),
    ];
    return responses.map(({ status }) => status);
  }

  it('a customer can start or confirm a payment sixty times a minute in total, and then gets a 429 with Retry-After', async () => {
    const [ann, bob, order] = [await testKit.createCustomer(), await testKit.createCustomer(), randomUUID()];
    const startAndConfirm = (customer: typeof ann) => [
      testKit.createIntent(customer, order, 7),
      testKit.patchOrder(customer, order, 'pi_any'),
    ];
    const responses = await Promise.all(Array.from({ length: 30 }, () => startAndConfirm(ann)).flat());
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]));
    for (const { status, headers } of await Promise.all(startAndConfirm(ann))) {
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await Promise.all(startAndConfirm(bob))).map(({ status }) => status)).toEqual([404, 404]);
    expect(await sendOtherWrites(ann)).toEqual([201, 201, 201]);
    clockOffsetMs = 61_000;
    expect((await Promise.all(startAndConfirm(ann))).map(({ status }) => status)).toEqual([404, 404]);
  });
});
