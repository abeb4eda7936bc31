import { sql, type SQL } from 'drizzle-orm';
import { endExpiredHolds } from '../../../server/holds/endHolds';
import { sweepOnce } from '../../../server/jobs/sweep';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { waitUntilBlocked } from '../../support/database';

describe('Races of payments', () => {
  let testKit: PaymentTestKit;
  let clockOffsetMs = 0;
  const now = () => new Date(Date.now() + clockOffsetMs);
  const HOUR_MS = 3_600_000;

  beforeAll(async () => {
    testKit = await openPaymentTestKit({ withoutWebhooks: true, now });
  });
  beforeEach(() => {
    clockOffsetMs = 0;
  });
  afterAll(() => testKit.close());

  const expectNoFindings = async () => expect(await testKit.runAudit()).toEqual([]);

  describe('Just before a successful payment is recorded,', () => {
    it('deleting its order answers 409, and the order is recorded as paid', async () => {
      const { customer, order, intentId } = await testKit.createChargedOrder();
      let deleteResponse: { status: number; body: { code?: string } } | undefined;
      testKit.runBefore(
        'settle',
        async () => (deleteResponse = await testKit.call(customer, 'DELETE', `/order/${order._id}`)),
      );
      expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
      expect([deleteResponse!.status, deleteResponse!.body.code]).toEqual([409, 'order_paid']);
      expect([await testKit.stateOf(order._id), await testKit.countRowsOf('payments', order._id)]).toEqual(['paid', 1]);
      await expectNoFindings();
    });

    it('the hold of its order can end without releasing the stock', async () => {
      const { customer, order, tool, intentId } = await testKit.createChargedOrder({ quantity: 10, stock: 10 });
      testKit.runBefore('settle', async () => {
        clockOffsetMs = 3 * HOUR_MS;
        await endExpiredHolds(testKit.deps);
        clockOffsetMs = 0;
      });
      expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
      expect([await testKit.stateOf(order._id), await testKit.readAvailable(tool.id)]).toEqual(['paid', 0]);
      await expectNoFindings();
    });
  });

  describe('Just before an intent is created,', () => {
    let monotonicMs = performance.now();
    beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => monotonicMs));
    afterEach(() => jest.restoreAllMocks());

    // Clause C.8.5
    it('a request from another tab waits for five seconds and then gets a 503', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      let second: { status: number; body: { code?: string } } | undefined;
      testKit.runBefore('create intent', async () => {
        const secondBegin = testKit.waitForSecondBegin();
        const request = testKit.createIntent(customer, order._id, total);
        await secondBegin;
        monotonicMs += 4_999;
        await testKit.waitForSecondBegin();
        monotonicMs += 1;
        second = await request;
      });
      const first = await testKit.createIntent(customer, order._id, total);
      expect([first.status, second!.status, second!.body.code]).toEqual([200, 503, 'payment_in_progress']);
      expect(await testKit.countIntents(order._id)).toBe(1);
    });

    // Clause C.8.4
    it('a request from another tab waits and then gets that intent', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      let second: ReturnType<typeof testKit.createIntent> | undefined;
      testKit.runBefore('create intent', async () => {
        const secondBegin = testKit.waitForSecondBegin();
        second = testKit.createIntent(customer, order._id, total);
        await secondBegin;
      });
      const first = await testKit.createIntent(customer, order._id, total);
      expect((await second!).body.clientSecret).toBe(first.body.clientSecret);
      expect(await testKit.countIntents(order._id)).toBe(1);
    });

    it('a request from another tab also waits if the first request has taken over the attempt of a dead server', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      await testKit.queryRows(sql`
      insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
      values (${order._id}, 1, ${`key of ${order._id}`}, ${total * 100}, 'usd', now() - interval '1 second')`);
      let second: ReturnType<typeof testKit.createIntent> | undefined;
      let intentsMeanwhile: number | undefined;
      testKit.runBefore('create intent', async () => {
        const secondBegin = testKit.waitForSecondBegin();
        second = testKit.createIntent(customer, order._id, total);
        await secondBegin;
        intentsMeanwhile = await testKit.countIntents(order._id);
      });
      const first = await testKit.createIntent(customer, order._id, total);
      expect([first.status, intentsMeanwhile]).toEqual([200, 0]);
      expect((await second!).body.clientSecret).toBe(first.body.clientSecret);
      expect(await testKit.countIntents(order._id)).toBe(1);
    });

    // Clause C.7.4
    it('deleting the order answers 409 because a payment is in progress', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      let deleteResponse: { status: number; body: { code?: string } } | undefined;
      testKit.runBefore(
        'create intent',
        async () => (deleteResponse = await testKit.call(customer, 'DELETE', `/order/${order._id}`)),
      );
      expect((await testKit.createIntent(customer, order._id, total)).status).toBe(200);
      expect([deleteResponse!.status, deleteResponse!.body.code]).toEqual([409, 'payment_in_progress']);
      expect(await testKit.stateOf(order._id)).toBe('unpaid');
    });
  });

  describe('Just before an intent is saved,', () => {
    it('a request that takes over an expired lease gets that intent', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      let second: { body: { clientSecret: string } } | undefined;
      testKit.runBefore('save intent', async () => {
        clockOffsetMs = 31_000;
        second = await testKit.createIntent(customer, order._id, total);
      });
      const first = await testKit.createIntent(customer, order._id, total);
      expect(first.body.clientSecret).toBe(second!.body.clientSecret);
      expect(await testKit.countIntents(order._id)).toBe(1);
    });

    it('deleting the order after the lease has expired leaves no intent that can be paid', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      let deleteResponse: { status: number } | undefined;
      testKit.runBefore('save intent', async () => {
        clockOffsetMs = 31_000;
        deleteResponse = await testKit.call(customer, 'DELETE', `/order/${order._id}`);
      });
      const createResponse = await testKit.createIntent(customer, order._id, total);
      expect([deleteResponse!.status, createResponse.status]).toEqual([204, 404]);
      const openIntents = await testKit.queryRows(sql`select id from embedded_stripe.intents
      where metadata->>'order_id' = ${order._id} and status <> 'canceled'`);
      expect(openIntents).toEqual([]);
      await expectNoFindings();
    });
  });

  describe('A payment for an order whose hold has expired', () => {
    it.each(['the browser', 'the webhook', 'the sweep'])(
      'is recorded if the stock is still available, by %s',
      async (settledBy) => {
        const { customer, order, tool, intentId } = await testKit.createChargedOrder({ quantity: 10, stock: 10 });
        await testKit.endHold(order._id);
        await testKit.deps.catalog.reportChange('tools');
        const readStock = async () => [
          await testKit.readAvailable(tool.id),
          (await testKit.call<{ availableQuantity: number }>(null, 'GET', `/tool/${tool.id}`)).body.availableQuantity,
        ];
        expect(await readStock()).toEqual([10, 10]);
        if (settledBy === 'the browser')
          expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
        if (settledBy === 'the webhook')
          expect((await testKit.sendWebhook(testKit.webhookEvent(intentId))).status).toBe(200);
        if (settledBy === 'the sweep') await sweepOnce(testKit.deps);
        expect([await testKit.stateOf(order._id), await testKit.countRowsOf('payments', order._id)]).toEqual([
          'paid',
          1,
        ]);
        expect(await readStock()).toEqual([0, 0]);
        await expectNoFindings();
      },
    );
  });

  describe('A payment for an order that can no longer be paid', () => {
    /** Prices per piece with which the payment does not match, because the customer paid $7 each. */
    const ANOTHER_PRICE: Record<string, number> = { 'more expensive': 8, cheaper: 6 };

    /** Charges an order and then makes it unpayable, as if the customer had confirmed the payment too late. */
    async function chargeTooLate(state: string) {
      const chargedOrder = await testKit.createChargedOrder({ quantity: 10, stock: 10 });
      const { order, tool } = chargedOrder;
      if (state === 'deleted') {
        await testKit.endHold(order._id, sql`state = 'deleted', deleted_at = now()`);
      } else if (state in ANOTHER_PRICE) {
        await testKit.queryRows(sql`update orders set unit_price = ${ANOTHER_PRICE[state]} where id = ${order._id}`);
      } else {
        await testKit.endHold(order._id);
        await testKit.placeOrder(await testKit.createCustomer(), {
          productName: tool.name,
          toolId: tool.id,
          totalQuantity: 10,
        });
      }
      return chargedOrder;
    }

    // Clause C.8.13
    it.each(['deleted', 'out of stock', 'more expensive', 'cheaper'])(
      'is recorded as money to refund, and the customer gets a code, if the order is %s',
      async (state) => {
        const { customer, order, intentId } = await chargeTooLate(state);
        const { status, body } = await testKit.patchOrder(customer, order._id, intentId);
        expect([status, body.code, body.meta]).toEqual([409, 'payment_returned', { code: intentId.slice(-8) }]);
        expect((await testKit.sendWebhook(testKit.webhookEvent(intentId))).status).toBe(200);
        expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(409);
        expect(await testKit.runAudit()).toEqual([
          { name: 'refund_due', subject: intentId, detail: expect.stringContaining(intentId.slice(-8)) },
        ]);
        expect(await testKit.deps.metrics.text()).toContain('forgeline_refunds_due 1');
        await testKit.queryRows(sql`update payments set returned_at = now() where intent_id = ${intentId}`);
        await expectNoFindings();
      },
    );
  });
});

describe('Concurrent changes', () => {
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    testKit = await openPaymentTestKit({ withoutWebhooks: true });
  });
  afterAll(() => testKit.close());

  const expectNoFindings = async () => expect(await testKit.runAudit()).toEqual([]);
  const markRefunded = (intentId: string) =>
    testKit.queryRows(sql`update payments set returned_at = now() where intent_id = ${intentId}`);

  /** Sends the call while a transaction makes these changes. Commits the transaction once the call waits for it. */
  async function callDuring<T>(changes: SQL[], call: () => Promise<T>): Promise<T> {
    let pendingCall: Promise<T> | undefined;
    await testKit.deps.db.transaction(async (tx) => {
      for (const change of changes) await tx.execute(change);
      pendingCall = call();
      await waitUntilBlocked(testKit.deps);
    });
    return pendingCall!;
  }

  /** Ends the claim on an order, if there is one. A transaction that runs this also locks the order's row. */
  const clearClaim = (order: string) => sql`update orders set deleting_until = null where id = ${order}`;
  const deleteStatements = (order: string, tool: string) => [
    sql`update orders set state = 'deleted', deleted_at = now(), holds_stock = false, hold_until = null
    where id = ${order}`,
    sql`update tools set available_quantity = available_quantity + 2 where id = ${tool}`,
  ];

  describe('A payment that is started', () => {
    it('while its order is being deleted gets a 404', async () => {
      const { customer, order, total, tool } = await testKit.createUnpaidOrder();
      const { status } = await callDuring(deleteStatements(order._id, tool.id), () =>
        testKit.createIntent(customer, order._id, total),
      );
      expect([status, await testKit.countIntents(order._id)]).toEqual([404, 0]);
      await expectNoFindings();
    });

    it('while its order is claimed by a deletion waits until the claim ends', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      const claim = sql`update orders set deleting_until = now() + interval '1 minute' where id = ${order._id}`;
      const attemptsWhileClaimed = testKit.waitForSecondBegin().then(async () => {
        const { length } = await testKit.queryRows(sql`select from payment_attempts where order_id = ${order._id}`);
        await testKit.queryRows(clearClaim(order._id));
        return length;
      });
      const { status } = await callDuring([claim], () => testKit.createIntent(customer, order._id, total));
      expect([status, await attemptsWhileClaimed, await testKit.countIntents(order._id)]).toEqual([200, 0, 1]);
      await expectNoFindings();
    });

    it('while another request starts a payment for the order uses the attempt of that request', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      const insertAttempt = sql`
      insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
      values (${order._id}, 1, 'of another server', 1400, 'usd', now() - interval '1 second')`;
      const { status } = await callDuring([clearClaim(order._id), insertAttempt], () =>
        testKit.createIntent(customer, order._id, total),
      );
      expect([
        status,
        await testKit.countRowsOf('payment_attempts', order._id),
        await testKit.countIntents(order._id),
      ]).toEqual([200, 1, 1]);
      await expectNoFindings();
    });
  });

  describe('A payment that arrives', () => {
    it('while its order is being deleted must be refunded', async () => {
      const { customer, order, tool, intentId } = await testKit.createChargedOrder();
      const { status, body } = await callDuring(deleteStatements(order._id, tool.id), () =>
        testKit.patchOrder(customer, order._id, intentId),
      );
      expect([status, body.code, await testKit.countPaidPayments(order._id)]).toEqual([409, 'payment_returned', 0]);
      await markRefunded(intentId);
      await expectNoFindings();
    });

    const insertRefundDue = (orderId: string, intentId: string) =>
      sql`insert into payments (intent_id, order_id, outcome, amount_cents, currency, reason)
      values (${intentId}, ${orderId}, 'refund due', 1400, 'usd', 'out of stock')`;

    it('and must be refunded is reported to a customer who starts to pay again', async () => {
      const { customer, order, total, intentId } = await testKit.createChargedOrder();
      await testKit.queryRows(insertRefundDue(order._id, intentId));
      const { status, body } = await testKit.createIntent(customer, order._id, total);
      expect([status, body]).toMatchObject([409, { code: 'payment_returned', meta: { code: intentId.slice(-8) } }]);
      await markRefunded(intentId);
    });

    it('while another request records it as money to refund does not pay the order', async () => {
      const { customer, order, intentId } = await testKit.createChargedOrder();
      const { status, body } = await callDuring([clearClaim(order._id), insertRefundDue(order._id, intentId)], () =>
        testKit.patchOrder(customer, order._id, intentId),
      );
      expect([status, body.code, await testKit.countPaidPayments(order._id)]).toEqual([409, 'payment_returned', 0]);
      await markRefunded(intentId);
    });
  });
});
