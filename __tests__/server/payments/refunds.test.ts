import { sql } from 'drizzle-orm';
import { recordReturned } from '../../../server/payments/recordReturned';
import type { Order } from '../../../src/contract/entities';
import { CARDS } from '../../support/cards';
import { recordTimers } from '../../support/timers';
import { endFaults, failRefunds, openRefundTestKit, REFUND, type RefundTestKit } from './refundTestKit';
import { checkOpenRefunds, listKnownRefunds } from '../../../server/payments/checkRefunds';
import { PaymentProviderDown } from '../../../server/payments/provider';
import { collectLog } from '../../support/shop';

describe('Refunds', () => {
  let kit: RefundTestKit;
  beforeAll(async () => {
    kit = await openRefundTestKit();
  });
  afterEach(async () => {
    await endFaults(kit);
    expect(await kit.readFindings()).toEqual([]);
  });
  afterAll(() => kit.close());

  const RESTOCK = { reason: 'not needed', restock: true };

  describe('An admin who refunds an order', () => {
    it('returns the whole amount once, and both the admin and the customer see it', async () => {
      const { id, intentId, tool, customer } = await kit.createPaidOrder();
      const { status, body } = await kit.requestRefund(id);
      expect([status, body.status, body.paid, body.refundRequested]).toEqual([200, 'refunded', false, undefined]);
      expect((await kit.listRefunds(intentId)).map(({ amount }) => amount)).toEqual([1400]);
      expect(await kit.readRefund(intentId)).toMatchObject({ state: 'succeeded', tries: 0, restock: 0 });
      expect((await kit.call(customer, 'GET', `/order/${id}`)).body).toMatchObject({ status: 'refunded', paid: false });
      expect([await kit.readAvailable(tool.id), await kit.countMails('refunded', id)]).toEqual([98, 1]);
    });

    it('can return the pieces to the stock, which happens once', async () => {
      const { id, tool } = await kit.createPaidOrder();
      for (let n = 0; n < 3; n++) expect((await kit.requestRefund(id, RESTOCK)).body.status).toBe('refunded');
      expect([await kit.readAvailable(tool.id), await kit.countWrongStocks()]).toEqual([100, 0]);
    });

    it('is recorded together with the reason, which only admins see', async () => {
      const { id, customer } = await kit.createPaidOrder();
      for (let n = 0; n < 2; n++) await kit.requestRefund(id, RESTOCK);
      expect(await kit.readOrder(id)).toMatchObject({ refundReason: 'not needed', refundedAt: expect.any(String) });
      const page = await kit.call<Order[]>(kit.asAdmin(), 'GET', `/order?q=${id}`);
      expect(page.body[0]).toEqual(await kit.readOrder(id));
      const { body: own } = await kit.call<Order>(customer, 'GET', `/order/${id}`);
      expect([own.refundReason, own.refundedAt]).toEqual([undefined, expect.any(String)]);
      expect(await kit.queryRows(sql`select actor_id, act, detail from admin_acts where subject = ${id}`)).toEqual([
        { actor_id: kit.asAdmin().id, act: 'refund order', detail: RESTOCK },
      ]);
    });

    it('sees a pending refund, and can neither ship nor refund the order until the refund completes', async () => {
      const { id, intentId } = await kit.createPaidOrder({ card: CARDS.refundPending });
      const { body } = await kit.requestRefund(id);
      expect([body.status, body.refundRequested, await kit.readFindings()]).toEqual(['paid', true, []]);
      expect((await kit.ship(id)).body.code).toBe('order_not_paid');
      expect((await kit.requestRefund(id)).status).toBe(200);
      await kit.waitForRefund(intentId, 'succeeded');
      await kit.sweep();
      expect((await kit.readOrder(id)).status).toBe('refunded');
      expect([(await kit.listRefunds(intentId)).length, await kit.countMails('refunded', id)]).toEqual([1, 1]);
    });

    it('must give a reason and decide about the stock, and a customer cannot refund orders at all', async () => {
      const { id, customer, intentId } = await kit.createPaidOrder();
      for (const draft of [{}, { reason: ' ', restock: false }, { reason: 'broken' }, { ...REFUND, amount: 1 }])
        expect((await kit.requestRefund(id, draft)).status).toBe(422);
      expect((await kit.requestRefund(id, REFUND, customer)).status).toBe(403);
      expect(await kit.listRefunds(intentId)).toEqual([]);
    });
  });

  describe('A refund that the provider', () => {
    it.each([{ status: 500 }, { status: 429 }] as const)(
      'does not confirm is stored, and is made exactly once by the sweep: %p',
      async (fault) => {
        const { id, intentId } = await kit.createPaidOrder();
        failRefunds(kit, fault);
        const { status, body } = await kit.requestRefund(id);
        expect([status, body.status, body.refundRequested]).toEqual([200, 'paid', true]);
        await kit.sweep();
        await endFaults(kit);
        await kit.sweep();
        expect((await kit.readOrder(id)).status).toBe('refunded');
        expect((await kit.listRefunds(intentId)).length).toBe(1);
      },
    );

    it('confirms slowly is shown as requested, and is recorded by the sweep', async () => {
      const { id, intentId } = await kit.createPaidOrder();
      const deadlines = recordTimers(12_000);
      const isDelayed = new Promise<void>((resolve) => failRefunds(kit, { delayMs: 3_600_000 }, Infinity, resolve));
      const request = kit.requestRefund(id);
      await isDelayed.then(deadlines.end);
      jest.restoreAllMocks();
      expect((await request).body.refundRequested).toBe(true);
      await endFaults(kit);
      await kit.sweep();
      expect((await kit.readOrder(id)).status).toBe('refunded');
      expect((await kit.listRefunds(intentId)).length).toBe(1);
    });

    it('fails to make for ten minutes is tried a second time', async () => {
      const { id, intentId } = await kit.createPaidOrder();
      failRefunds(kit, { status: 500 });
      await kit.requestRefund(id);
      kit.control.offsetMs += 600_000;
      await kit.sweep();
      await endFaults(kit);
      await kit.sweep();
      expect(await kit.readRefund(intentId)).toMatchObject({ state: 'succeeded', tries: 1 });
      expect((await kit.listRefunds(intentId))[0]!.metadata).toMatchObject({ order_id: id, try: '1' });
    });

    it('refuses is shown to the admin and reported by the doctor, and can be tried again', async () => {
      const { id, intentId } = await kit.createPaidOrder();
      failRefunds(kit, { status: 400 }, 1);
      const { body } = await kit.requestRefund(id, RESTOCK);
      expect([body.status, body.refundFailed, body.refundRequested]).toEqual(['paid', true, undefined]);
      expect(await kit.readFindings()).toEqual([['refund_failed', intentId]]);
      expect((await kit.ship(id)).status).toBe(201);
      const { body: again } = await kit.requestRefund(id);
      expect([again.status, again.refundFailed]).toEqual(['refunded', undefined]);
      expect(await kit.readRefund(intentId)).toMatchObject({ state: 'succeeded', tries: 0, error: null });
    });

    it('later reports as failed is shown on the refunded order, and can be tried again', async () => {
      const { id, intentId, tool } = await kit.createPaidOrder({ card: CARDS.refundFails });
      expect((await kit.requestRefund(id, RESTOCK)).body.status).toBe('refunded');
      await kit.waitForRefund(intentId, 'failed');
      expect(await kit.sendEvent(intentId, 'refund.failed')).toBe(200);
      expect(await kit.readOrder(id)).toMatchObject({ status: 'refunded', refundFailed: true });
      expect(await kit.readFindings()).toEqual([['refund_failed', intentId]]);
      failRefunds(kit, { status: 500 });
      expect((await kit.requestRefund(id, RESTOCK)).body).toMatchObject({ status: 'refunded', refundRequested: true });
      await endFaults(kit);
      await kit.sweep();
      const body = await kit.readOrder(id);
      expect([body.status, body.refundFailed, body.refundRequested]).toEqual(['refunded', undefined, undefined]);
      expect((await kit.listRefunds(intentId)).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
      expect([await kit.readAvailable(tool.id), await kit.countMails('refunded', id)]).toEqual([100, 2]);
      await kit.waitForRefund(intentId, 'failed');
      await kit.sweep();
      expect(await kit.readFindings()).toEqual([['refund_failed', intentId]]);
      await recordReturned(kit.deps.db, intentId);
    });

    it('cancels is shown as failed', async () => {
      const { id, intentId } = await kit.createPaidOrder({ card: CARDS.refundPending });
      await kit.requestRefund(id);
      await kit.queryRows(sql`update embedded_stripe.refunds set status = 'canceled', next_status = null
        where intent_id = ${intentId}`);
      await kit.sweep();
      expect(await kit.readOrder(id)).toMatchObject({ status: 'paid', refundFailed: true });
      await recordReturned(kit.deps.db, intentId);
    });

    it('refuses, because the API keys were changed and it does not know the payment, is marked as failed', async () => {
      const { id, intentId } = await kit.createPaidOrder();
      await kit.queryRows(sql`update payments set intent_id = 'pi_elsewhere' where intent_id = ${intentId}`);
      await kit.queryRows(sql`delete from payment_attempts where intent_id = ${intentId}`);
      expect((await kit.requestRefund(id)).body.refundFailed).toBe(true);
      expect(await kit.readRefund('pi_elsewhere')).toMatchObject({ state: 'failed', error: 'resource_missing' });
      await kit.queryRows(sql`delete from refunds where intent_id = 'pi_elsewhere'`);
      await kit.queryRows(sql`update payments set intent_id = ${intentId} where intent_id = 'pi_elsewhere'`);
      await kit.queryRows(sql`update orders set refund_failed = false where id = ${id}`);
    });
  });

  describe('A refund that was made at the provider', () => {
    const refundAtProvider = (intentId: string, amount?: number) =>
      kit.stripe.refunds.create({ payment_intent: intentId, ...(amount && { amount }) });

    const partsOf = async (id: string) => {
      const { status, refundedCents, refunds } = await kit.readOrder(id);
      return [
        status,
        refundedCents,
        refunds!.map(({ pieces, cents }) => [pieces, cents]).sort(([, a], [, b]) => a! - b!),
      ];
    };

    it('for part of the amount is shown, and an admin can ship the order and refund the rest', async () => {
      const { id, intentId, customer } = await kit.createPaidOrder();
      await refundAtProvider(intentId, 550);
      const detail = 'The provider refunded 550 cents (usd), but no refund is recorded.';
      expect(await kit.runAudit()).toEqual([{ name: 'refund_not_recorded', subject: intentId, detail }]);
      for (const type of ['charge.refunded', 'refund.created', 'charge.refunded'])
        expect(await kit.sendEvent(intentId, type)).toBe(200);
      const number = expect.stringMatching(/^C-\d{6}$/) as string;
      const part = { at: expect.any(String) as string, pieces: null, cents: 550, number };
      const reason = 'refunded at the payment provider';
      expect(await kit.readOrder(id)).toMatchObject({
        status: 'paid',
        refundedCents: 550,
        refunds: [{ ...part, reason }],
      });
      const { body: own } = await kit.call<Order>(customer, 'GET', `/order/${id}`);
      expect([own.refundedCents, own.refunds]).toEqual([550, [part]]);
      expect([await kit.readFindings(), await kit.countMails('refunded', id)]).toEqual([[], 1]);
      expect((await kit.ship(id)).status).toBe(201);
      expect((await kit.requestRefund(id)).body.status).toBe('refunded');
      expect((await kit.listRefunds(intentId)).map(({ amount }) => amount)).toEqual([850, 550]);
      expect(await partsOf(id)).toEqual([
        'refunded',
        1400,
        [
          [null, 550],
          [2, 850],
        ],
      ]);
    });

    it('in several parts is recorded to the cent by the sweep, and once, until nothing is left', async () => {
      const { id, intentId } = await kit.createPaidOrder();
      expect(await partsOf(id)).toEqual(['paid', 0, []]);
      for (const amount of [1, 333]) await refundAtProvider(intentId, amount);
      for (let n = 0; n < 2; n++) await kit.sweep();
      expect(await partsOf(id)).toEqual([
        'paid',
        334,
        [
          [null, 1],
          [null, 333],
        ],
      ]);
      await refundAtProvider(intentId);
      await Promise.all([kit.sendEvent(intentId, 'refund.created'), kit.sendEvent(intentId, 'charge.refunded')]);
      await kit.sweep();
      expect(await partsOf(id)).toEqual([
        'refunded',
        1400,
        [
          [null, 1],
          [null, 333],
          [null, 1066],
        ],
      ]);
      expect(await kit.countMails('refunded', id)).toBe(3);
    });

    it('for part of the amount is taken back if it fails later, and is then due again', async () => {
      const { id, intentId } = await kit.createPaidOrder();
      await refundAtProvider(intentId, 500);
      await kit.sendEvent(intentId, 'refund.created');
      expect(await partsOf(id)).toEqual(['paid', 500, [[null, 500]]]);
      await kit.queryRows(sql`update embedded_stripe.refunds set status = 'failed' where intent_id = ${intentId}`);
      await kit.sweep();
      expect(await partsOf(id)).toEqual(['paid', 0, []]);
      expect(await kit.readOrder(id)).toMatchObject({ refundFailed: true });
      expect(await kit.readFindings()).toEqual([['refund_failed', intentId]]);
      expect((await kit.requestRefund(id)).body).toMatchObject({ status: 'refunded', refundedCents: 1400 });
    });

    it('for part of the amount can fail after the rest was refunded, and is then due again', async () => {
      const { id, intentId } = await kit.createPaidOrder();
      await refundAtProvider(intentId, 500);
      await kit.sendEvent(intentId, 'refund.created');
      expect((await kit.requestRefund(id)).body.status).toBe('refunded');
      await kit.queryRows(sql`update embedded_stripe.refunds set status = 'failed', failure_reason = 'unknown'
      where intent_id = ${intentId} and amount = 500`);
      await kit.sweep();
      expect(await kit.readOrder(id)).toMatchObject({ status: 'refunded', refundFailed: true, refundedCents: 900 });
      expect(await kit.readFindings()).toEqual([['refund_failed', intentId]]);
      expect((await kit.requestRefund(id)).body).toMatchObject({ status: 'refunded', refundedCents: 1400 });
      expect((await kit.listRefunds(intentId)).map(({ amount }) => amount)).toEqual([500, 900, 500]);
      await kit.sweep();
      expect(await kit.readOrder(id)).toMatchObject({ status: 'refunded', refundedCents: 1400 });
    });

    it('in two parts is only requested until both have succeeded', async () => {
      const { id, intentId, total } = await kit.createPaidOrder();
      for (const amount of [1, total * 100 - 1]) await refundAtProvider(intentId, amount);
      const ofFirst = sql`where intent_id = ${intentId} and amount = 1`;
      const setFirstStatus = (status: string) =>
        kit.queryRows(sql`update embedded_stripe.refunds set status = ${status} ${ofFirst}`);
      // So that the provider lists the other one, which has succeeded, before it.
      await kit.queryRows(
        sql`update embedded_stripe.refunds set created_at = created_at - interval '1 minute' ${ofFirst}`,
      );
      await setFirstStatus('pending');
      expect(await kit.sendEvent(intentId, 'charge.refunded')).toBe(200);
      expect(await kit.readOrder(id)).toMatchObject({ status: 'paid', refundRequested: true });
      await setFirstStatus('succeeded');
      await kit.sweep();
      expect((await kit.readOrder(id)).status).toBe('refunded');
    });
  });
});

describe('Returned payments', () => {
  let kit: RefundTestKit;
  beforeAll(async () => {
    kit = await openRefundTestKit();
  });
  afterAll(() => kit.close());

  it('a payment that the operator paid back after its refund failed is neither refunded nor shipped', async () => {
    const { id, intentId, tool } = await kit.createPaidOrder();
    expect(await recordReturned(kit.deps.db, intentId)).toBe(false);
    failRefunds(kit, { status: 400 }, 1);
    await kit.requestRefund(id, { reason: 'not needed', restock: true });
    expect(await recordReturned(kit.deps.db, intentId)).toEqual({ restockedTool: tool.id });
    expect(await recordReturned(kit.deps.db, intentId)).toBe(false);
    const order = await kit.readOrder(id);
    expect([order.status, order.refundFailed]).toEqual(['refunded', undefined]);
    expect((await kit.requestRefund(id)).body.code).toBe('order_refunded');
    expect((await kit.ship(id)).body.code).toBe('order_not_paid');
    await kit.sweep();
    expect([await kit.listRefunds(intentId), await kit.countMails('refunded', id)]).toEqual([[], 0]);
    expect(await kit.countWrongStocks()).toBe(0);
  });
});

describe('Checks of refunds', () => {
  const log = collectLog();
  let kit: RefundTestKit;
  beforeAll(async () => {
    kit = await openRefundTestKit({ logger: log.logger });
  });
  afterAll(() => kit.close());

  /** Requests refunds that the provider does not make yet, and advances the clock until the sweep sends them again. */
  async function requestTwoRefunds() {
    const paidOrders = [await kit.createPaidOrder(), await kit.createPaidOrder()];
    failRefunds(kit, { status: 500 });
    for (const { id } of paidOrders) await kit.requestRefund(id);
    await endFaults(kit);
    kit.control.offsetMs += 61_000;
    return paidOrders;
  }

  const statesOf = (orders: { id: string }[]) =>
    Promise.all(orders.map(async ({ id }) => (await kit.readOrder(id)).status));
  const withRefunds = (createRefund: RefundTestKit['provider']['createRefund']) => ({
    ...kit.deps,
    provider: { ...kit.provider, createRefund },
  });

  describe('The check of requested refunds', () => {
    it('sends a single request to a provider that is down', async () => {
      const paidOrders = await requestTwoRefunds();
      const createRefund = jest.fn(() => Promise.reject(new PaymentProviderDown()));
      await expect(checkOpenRefunds(withRefunds(createRefund))).rejects.toThrow(PaymentProviderDown);
      expect(createRefund).toHaveBeenCalledTimes(1);
      await kit.sweep();
      expect(await statesOf(paidOrders)).toEqual(['refunded', 'refunded']);
    });

    it('still makes all other refunds if one cannot be made, and logs which one failed and why', async () => {
      const paidOrders = await requestTwoRefunds();
      const createRefund = jest.fn(kit.provider.createRefund);
      createRefund.mockRejectedValueOnce(new Error('a simulated failure'));
      await checkOpenRefunds(withRefunds(createRefund));
      expect((await statesOf(paidOrders)).sort()).toEqual(['paid', 'refunded']);
      const { err, intentId } = log.linesOf('could not check refund').at(-1)!;
      expect([err, paidOrders.map((paidOrder) => paidOrder.intentId)]).toEqual([
        expect.objectContaining({ message: 'a simulated failure' }),
        expect.arrayContaining([intentId]),
      ]);
      await kit.sweep();
      expect(await statesOf(paidOrders)).toEqual(['refunded', 'refunded']);
    });
  });

  /** Adds refunds of one cent at the provider, each a minute older than the one before. */
  const addRefunds = (intentId: string, count: number) =>
    kit.queryRows(sql`
    insert into embedded_stripe.refunds (id, intent_id, amount, status, metadata, created_at)
    select ${intentId} || '_' || n, ${intentId}, 1, 'succeeded', '{}', now() - n * interval '1 minute'
    from generate_series(1, ${count}::int) n`);

  it.each([
    ['all', 251, [100, 100, 50], 3],
    ['those of the last 150 minutes', 150.5, [100, 50], 2],
    ['those of the last 100 minutes', 100.5, [100, 0], 1],
    ['none', 0, [0], 1],
  ])('refunds at the provider are read in pages, newest first: %s', async (_, minutes, batchSizes, pages) => {
    await kit.queryRows(sql`delete from embedded_stripe.refunds`);
    const { intentId } = await kit.createPaidOrder();
    await addRefunds(intentId, 250);
    kit.calls.length = 0;
    const batches: string[][] = [];
    for await (const batch of listKnownRefunds(kit.deps, new Date(Date.now() - minutes * 60_000)))
      batches.push(batch.map(({ id }) => id));
    expect(batches.map(({ length }) => length)).toEqual(batchSizes);
    const count = Math.min(250, Math.floor(minutes));
    expect(batches.flat()).toEqual(Array.from({ length: count }, (_item, n) => `${intentId}_${n + 1}`));
    expect(kit.calls.filter(({ path }) => path === '/v1/refunds')).toHaveLength(pages);
  });

  it('refunds of payments that this shop has not recorded are ignored', async () => {
    await kit.queryRows(sql`delete from embedded_stripe.refunds`);
    const { intentId } = await kit.createChargedOrder();
    await addRefunds(intentId, 101);
    const batches = [];
    for await (const batch of listKnownRefunds(kit.deps, new Date(0))) batches.push(batch);
    expect(batches).toEqual([[], []]);
  });
});
