import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { openPool } from '../../../server/db/database';
import { runUnlessSweeping, ADVISORY_LOCKS } from '../../../server/db/locks';
import { endExpiredHolds } from '../../../server/holds/endHolds';
import { checkOpenAttempts, recordMissedPayments } from '../../../server/payments/reconcile';
import { recordReturned } from '../../../server/payments/recordReturned';
import { checkOpenRefunds, refundLatePayments } from '../../../server/payments/checkRefunds';
import { startSweeps, sweepOnce } from '../../../server/jobs/sweep';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { expectEventually } from '../../support/wait';
import { CARDS } from '../../support/cards';
import { startCrashingServer } from '../../support/server';
import { collectLog } from '../../support/shop';
import { endFaults, failRefunds, openRefundTestKit, type RefundTestKit } from './refundTestKit';

describe('Sweeps', () => {
  const HOUR_MS = 3_600_000;
  let testKit: PaymentTestKit;
  let log = '';
  const readLog = (message: string) =>
    log
      .split('\n')
      .filter((line) => line.includes(`"msg":"${message}"`))
      .map((line) => JSON.parse(line) as { err?: { message: string }; intentId?: string; step?: string });
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });

  beforeAll(async () => {
    testKit = await openPaymentTestKit({ withoutWebhooks: true, logger: pino({ level: 'trace' }, sink) });
  });
  afterAll(() => testKit.close());
  afterEach(async () => {
    expect(await testKit.runAudit()).toEqual([]);
  });

  test('another server can sweep after a sweep that failed', async () => {
    const otherDb = openPool(testKit.database!.connection, () => undefined, 2);
    await expect(runUnlessSweeping(otherDb, () => Promise.reject(new Error('fails')))).rejects.toThrow('fails');
    let hasSwept = false;
    // PostgreSQL notices a closed connection a moment later.
    await expectEventually(async () => {
      await runUnlessSweeping(testKit.deps.db, async () => void (hasSwept = true));
      return hasSwept;
    }, true);
    await otherDb.$client.end();
  });

  describe('The sweep', () => {
    // Clause C.8.9
    it('records payments that neither the browser nor a webhook reported', async () => {
      const chargedOrders = [await testKit.createChargedOrder(), await testKit.createChargedOrder()];
      await sweepOnce(testKit.deps);
      for (const { order } of chargedOrders) expect(await testKit.stateOf(order._id)).toBe('paid');
      expect(await testKit.deps.metrics.text()).toContain('forgeline_unsettled_succeeded 0');
    });

    it('ends other holds while an order whose hold has run out is locked', async () => {
      const [locked, other] = [await testKit.createUnpaidOrder(), await testKit.createUnpaidOrder()];
      const setHoldEnd = ({ order }: typeof locked, minutesAgo: number) =>
        testKit.queryRows(sql`
        update orders set hold_until = now() - ${minutesAgo}::int * interval '1 minute' where id = ${order._id}`);
      await setHoldEnd(locked, 2);
      await setHoldEnd(other, 1);
      const holdsStock = async ({ order }: typeof locked) =>
        (await testKit.queryRows(sql`select holds_stock as holds from orders where id = ${order._id}`))[0]!['holds'];
      await testKit.deps.db.transaction(async (tx) => {
        await tx.execute(sql`select from orders where id = ${locked.order._id} for update`);
        expect(await endExpiredHolds(testKit.deps)).toBe(1);
        expect([await holdsStock(locked), await holdsStock(other)]).toEqual([true, false]);
      });
      expect(await endExpiredHolds(testKit.deps)).toBe(1);
      expect(await holdsStock(locked)).toBe(false);
    });

    it('does not wait for an order that is locked to check its open payment', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      await testKit.createIntent(customer, order._id, total);
      await testKit.deps.db.transaction(async (tx) => {
        await tx.execute(sql`select from orders where id = ${order._id} for update`);
        log = '';
        await checkOpenAttempts(testKit.deps);
      });
      expect(readLog('could not settle payment')).toEqual([]);
    });

    it('does not count a payment as unsettled if another server has recorded it meanwhile', async () => {
      const { order, intentId } = await testKit.createChargedOrder();
      testKit.deps.unrecorded.add(intentId);
      expect(await testKit.deps.metrics.text()).toContain('forgeline_unsettled_succeeded 1');
      await sweepOnce({ ...testKit.deps, unrecorded: new Set() });
      expect(await testKit.stateOf(order._id)).toBe('paid');
      expect(await testKit.deps.metrics.text()).toContain('forgeline_unsettled_succeeded 0');
    });

    // Clause C.8.9
    it('is finished before a server that has just started stops', async () => {
      const { order } = await testKit.createChargedOrder();
      await startSweeps(testKit.deps)();
      expect(await testKit.stateOf(order._id)).toBe('paid');
    });

    it('continues with its next steps if one fails, and logs which one failed and why', async () => {
      const { order, intentId } = await testKit.createChargedOrder();
      await testKit.sendWebhook(testKit.webhookEvent(intentId, undefined, 'evt_old'));
      await testKit.queryRows(sql`update provider_events set created_at = now() - interval '31 days'`);
      const listIntents = () => {
        throw new Error('a simulated failure');
      };
      await sweepOnce({ ...testKit.deps, provider: { ...testKit.provider, listIntents } });
      expect(readLog('sweep step failed').map(({ err, step }) => [err?.message, step])).toEqual([
        ['a simulated failure', 'recordMissedPayments'],
      ]);
      expect([await testKit.stateOf(order._id), await testKit.queryRows(sql`select from provider_events`)]).toEqual([
        'paid',
        [],
      ]);
    });

    it('records a payment at the provider even if no attempt in the database refers to it', async () => {
      const { order, intentId } = await testKit.createChargedOrder();
      await testKit.queryRows(
        sql`update payment_attempts set state = 'canceled', intent_id = null where order_id = ${order._id}`,
      );
      await recordMissedPayments(testKit.deps);
      expect(await testKit.queryRows(sql`select intent_id from payments where order_id = ${order._id}`)).toEqual([
        { intent_id: intentId },
      ]);
    });

    it('runs on one server at a time, and other servers skip it if it has just run', async () => {
      let [rounds, hours] = [0, 0];
      const now = () => new Date(Date.now() + hours * HOUR_MS);
      const sweep = (always: boolean) =>
        sweepOnce({ ...testKit.deps, now, provider: { ...testKit.provider, listIntents } }, always);
      const sweepFourTimes = (always: boolean) => Promise.all(Array.from({ length: 4 }, () => sweep(always)));
      async function* listIntents(since: Date) {
        if (++rounds === 1) await sweepFourTimes(true);
        yield* testKit.provider.listIntents(since);
      }
      await sweep(true);
      expect(rounds).toBe(1);
      await sweepFourTimes(false);
      expect(rounds).toBe(1);
      hours = 2;
      await sweepFourTimes(false);
      expect(rounds).toBe(2);
    });

    it.each([checkOpenAttempts, recordMissedPayments])(
      'still records all other payments if one cannot be recorded: %p',
      async (step) => {
        const chargedOrders = [
          await testKit.createChargedOrder(),
          await testKit.createChargedOrder(),
          await testKit.createChargedOrder(),
        ];
        const states = async () =>
          (await Promise.all(chargedOrders.map(({ order }) => testKit.stateOf(order._id)))).sort();
        testKit.runBefore('settle', () => Promise.reject(new Error('a simulated failure')));
        await step(testKit.deps);
        expect(await states()).toEqual(['paid', 'paid', 'unpaid']);
        const { err, intentId } = readLog('could not settle payment').at(-1)!;
        expect([err?.message, chargedOrders.map((charged) => charged.intentId)]).toEqual([
          'a simulated failure',
          expect.arrayContaining([intentId]),
        ]);
        await step(testKit.deps);
        expect(await states()).toEqual(['paid', 'paid', 'paid']);
      },
    );

    it('cancels the open payment of an order that can no longer be paid', async () => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      const { clientSecret } = (await testKit.createIntent(customer, order._id, total)).body;
      await testKit.queryRows(sql`
      with o as (update orders set state = 'deleted', deleted_at = now(), holds_stock = false, hold_until = null
        where id = ${order._id} returning tool_id, quantity)
      update tools t set available_quantity = available_quantity + o.quantity from o where t.id = o.tool_id`);
      await sweepOnce(testKit.deps);
      expect((await testKit.confirm(clientSecret)).error?.code).toBe('payment_intent_unexpected_state');
      expect(await testKit.queryRows(sql`select state from payment_attempts where order_id = ${order._id}`)).toEqual([
        { state: 'canceled' },
      ]);
    });
  });

  // Clause C.6.24
  it('the metrics contain the share of the stock that unpaid orders have reserved', async () => {
    await testKit.queryRows(
      sql`update tools set stocked_quantity = stocked_quantity - available_quantity, available_quantity = 0`,
    );
    const { rows } = await testKit.deps.db.execute<{ held: string }>(
      sql`select coalesce(sum(quantity), 0) as held from orders where state = 'unpaid' and holds_stock`,
    );
    const heldQuantity = Number(rows[0]!.held) + 30;
    await testKit.createUnpaidOrder({ quantity: 30, stock: 100 });
    expect(await testKit.deps.metrics.text()).toContain(
      `forgeline_stock_held_unpaid ${heldQuantity / (heldQuantity + 70)}`,
    );
  });
});

describe('Late money', () => {
  const log = collectLog();
  let kit: RefundTestKit;
  beforeAll(async () => {
    kit = await openRefundTestKit({ logger: log.logger });
  });
  afterEach(() => endFaults(kit));
  afterAll(() => kit.close());

  /** Charges the card and deletes the order before the shop learns of the charge. */
  async function chargeTooLate(options: Parameters<RefundTestKit['createChargedOrder']>[0] = {}) {
    const chargedOrder = await kit.createChargedOrder(options);
    await kit.endHold(chargedOrder.id, sql`state = 'deleted', deleted_at = now()`);
    expect((await kit.patchOrder(chargedOrder.customer, chargedOrder.id, chargedOrder.intentId)).body.code).toBe(
      'payment_returned',
    );
    return chargedOrder;
  }

  /** Leaves the clock as it is, because a minute later the provider's disputes may have ended. */
  async function refundLateMoney() {
    await refundLatePayments(kit.deps);
    await checkOpenRefunds(kit.deps);
  }

  const isReturned = async (intentId: string) =>
    (
      await kit.queryRows(sql`select returned_at is not null as returned from payments where intent_id = ${intentId}`)
    )[0]?.['returned'];

  async function expectReturnedOnce({ id, intentId, tool }: Awaited<ReturnType<typeof chargeTooLate>>) {
    expect((await kit.listRefunds(intentId)).map(({ amount, status }) => [amount, status])).toEqual([
      [1400, 'succeeded'],
    ]);
    expect([await isReturned(intentId), await kit.countMails('payment returned', id)]).toEqual([true, 1]);
    expect([await kit.stateOf(id), await kit.readAvailable(tool.id)]).toEqual(['deleted', 100]);
    expect(await kit.readFindings()).toEqual([]);
  }

  describe('A payment for an order that can no longer be paid', () => {
    it('is refunded by the next sweep, and not again by later sweeps', async () => {
      const latePayment = await chargeTooLate();
      expect(await kit.readFindings()).toEqual([['refund_due', latePayment.intentId]]);
      const { intentId, id: orderId } = latePayment;
      expect(log.linesOf('payment must be refunded')).toMatchObject([{ level: 50, intentId, orderId }]);
      await kit.sweep();
      await expectReturnedOnce(latePayment);
      for (let n = 0; n < 3; n++) await kit.sweep();
      await expectReturnedOnce(latePayment);
    });

    it('is refunded within two sweeps if neither the browser nor a webhook reported it', async () => {
      const chargedOrder = await kit.createChargedOrder();
      await kit.queryRows(sql`delete from payment_attempts where order_id = ${chargedOrder.id}`);
      await kit.endHold(chargedOrder.id, sql`state = 'deleted', deleted_at = now()`);
      await kit.sweep();
      await kit.sweep();
      await expectReturnedOnce(chargedOrder);
    });

    it('is refunded when another payment has paid the order, which can still be shipped', async () => {
      const paidOrder = await kit.createPaidOrder();
      const second = await kit.createChargedOrder();
      await kit.queryRows(sql`
      update embedded_stripe.intents set metadata = jsonb_set(metadata, '{order_id}', to_jsonb(${paidOrder.id}::text))
      where id = ${second.intentId}`);
      await kit.queryRows(sql`delete from payment_attempts where intent_id = ${second.intentId}`);
      await recordMissedPayments(kit.deps);
      await kit.sweep();
      expect([await isReturned(second.intentId), (await kit.listRefunds(paidOrder.intentId)).length]).toEqual([
        true,
        0,
      ]);
      const order = await kit.readOrder(paidOrder.id);
      expect([order.status, order.refundRequested, order.transactionId]).toEqual([
        'paid',
        undefined,
        paidOrder.intentId,
      ]);
      expect((await kit.ship(paidOrder.id)).status).toBe(201);
      expect(await kit.readFindings()).toEqual([]);
    });

    it('is refunded only once, even if the response to the refund request was lost', async () => {
      const latePayment = await chargeTooLate();
      failRefunds(kit, { drop: true });
      for (let n = 0; n < 3; n++) await kit.sweep();
      await endFaults(kit);
      await kit.sweep();
      await expectReturnedOnce(latePayment);
    });

    it('cannot be recorded as returned by the operator while its refund is under way', async () => {
      const latePayment = await chargeTooLate();
      failRefunds(kit, { status: 500 });
      await kit.sweep();
      expect(await recordReturned(kit.deps.db, latePayment.intentId)).toBe(false);
      await endFaults(kit);
      await kit.sweep();
      await expectReturnedOnce(latePayment);
    });

    it('is not refunded anymore once the operator has returned it', async () => {
      const { intentId } = await chargeTooLate();
      kit.runBefore('send refund', () =>
        kit.queryRows(sql`update payments set returned_at = now() where intent_id = ${intentId}`),
      );
      await kit.sweep();
      expect([await kit.listRefunds(intentId), await kit.readRefund(intentId)]).toMatchObject([
        [],
        { state: 'failed', error: 'order_refunded' },
      ]);
    });

    it('is refunded once, even if an operator also refunds it at the provider', async () => {
      const latePayment = await chargeTooLate();
      kit.runBefore('send refund', () => kit.stripe.refunds.create({ payment_intent: latePayment.intentId }));
      await kit.sweep();
      await expectReturnedOnce(latePayment);
    });

    it('is not refunded while it is disputed', async () => {
      const latePayment = await chargeTooLate({ card: CARDS.disputedLost });
      await kit.sendEvent(latePayment.intentId, 'charge.dispute.created');
      await refundLateMoney();
      expect([await kit.listRefunds(latePayment.intentId), await isReturned(latePayment.intentId)]).toEqual([
        [],
        false,
      ]);
      expect(await kit.readFindings()).toEqual([['dispute_open', latePayment.intentId]]);
      await kit.waitForDispute(latePayment.intentId, 'lost');
      await kit.sendEvent(latePayment.intentId, 'charge.dispute.closed');
      await kit.sweep();
      expect([await kit.listRefunds(latePayment.intentId), await kit.readFindings()]).toEqual([[], []]);
    });

    it('is refunded once a dispute is won that began just before its refund', async () => {
      const { intentId } = await chargeTooLate({ card: CARDS.disputedWon });
      kit.runBefore('send refund', () => kit.sendEvent(intentId, 'charge.dispute.created'));
      await refundLateMoney();
      expect(await kit.readRefund(intentId)).toMatchObject({ state: 'failed', error: 'charge_disputed' });
      await kit.waitForDispute(intentId, 'won');
      await kit.sendEvent(intentId, 'charge.dispute.closed');
      await kit.sweep();
      await kit.sweep();
      expect([await isReturned(intentId), (await kit.listRefunds(intentId)).length]).toEqual([true, 1]);
    });

    it('is reported by the doctor if its refund fails, until the operator records that the money was returned', async () => {
      const { intentId, id } = await chargeTooLate({ card: CARDS.refundFails });
      await kit.sweep();
      expect([await isReturned(intentId), await kit.readFindings()]).toEqual([true, []]);
      await kit.waitForRefund(intentId, 'failed');
      await kit.sendEvent(intentId, 'refund.failed');
      expect([await isReturned(intentId), await kit.readFindings()]).toEqual([false, [['refund_failed', intentId]]]);
      expect(await kit.stateOf(id)).toBe('deleted');
      await kit.queryRows(sql`update payments set returned_at = now() where intent_id = ${intentId}`);
      await kit.sweep();
      expect([(await kit.listRefunds(intentId)).length, await kit.readFindings()]).toEqual([1, []]);

      // Someone refunds it at the provider as well.
      await kit.stripe.refunds.create({ payment_intent: intentId });
      await kit.sendEvent(intentId, 'refund.created');
      expect(await kit.readFindings()).toEqual([['returned_and_refunded', intentId]]);
      await kit.waitForRefund(intentId, 'failed');
      await kit.sendEvent(intentId, 'refund.failed');
      expect([await isReturned(intentId), await kit.readFindings()]).toEqual([true, []]);
    });

    it('is left to the operator while REFUND_LATE is off', async () => {
      const latePayment = await chargeTooLate();
      const { settings } = kit.deps;
      const { refundLate } = settings;
      settings.refundLate = false;
      await kit.sweep();
      settings.refundLate = refundLate;
      expect([await kit.listRefunds(latePayment.intentId), await isReturned(latePayment.intentId)]).toEqual([
        [],
        false,
      ]);
      await kit.sweep();
      await expectReturnedOnce(latePayment);
    });
  });

  /** The server of `startCrashingServer` runs sweeps only if it has mail settings. Nothing listens at this address. */
  const WITH_SWEEPS = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@shop.example' };

  /** PostgreSQL releases the advisory lock of a killed server once it notices the closed connection. */
  const isSweepLockFree = async () =>
    (
      await kit.queryRows(sql`
      select from pg_locks
      where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = ${ADVISORY_LOCKS.sweep}::bigint`)
    ).length === 0;

  it.each(['send refund', 'record refund'])(
    'a late payment is refunded once even if the server is killed before the step "%s"',
    async (step) => {
      const latePayment = await chargeTooLate();
      const crashingServer = await startCrashingServer(kit.database!.connection, step, WITH_SWEEPS);
      expect((await crashingServer.exited)[1]).toBe('SIGKILL');
      await expectEventually(isSweepLockFree, true);
      await kit.sweep();
      await expectReturnedOnce(latePayment);
    },
  );
});
