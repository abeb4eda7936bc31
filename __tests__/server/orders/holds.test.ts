import { and, eq, lte, sql } from 'drizzle-orm';
import { orders } from '../../../server/db/schema';
import type { Fault } from '../../../embedded/stripe/faults';
import { endExpiredHolds } from '../../../server/holds/endHolds';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

describe('The end of a hold', () => {
  const HOUR_MS = 3_600_000;
  let clockOffsetHours = 0;
  let fault: Fault | undefined;
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    const now = () => new Date(Date.now() + clockOffsetHours * HOUR_MS);
    testKit = await openPaymentTestKit({ now, faults: { onCall: () => fault } });
  });
  afterAll(async () => {
    expect(await testKit.countWrongStocks()).toBe(0);
    await testKit.close();
  });

  /** Runs the work with the clock some hours ahead. */
  async function withClockAhead<T>(offset: number, work: () => Promise<T>): Promise<T> {
    clockOffsetHours = offset;
    try {
      return await work();
    } finally {
      clockOffsetHours = 0;
    }
  }
  const endHolds = () => endExpiredHolds(testKit.deps);

  /** Ends all holds of the previous test. */
  beforeEach(() => withClockAhead(100, endHolds));

  async function placeUnpaidOrder(totalQuantity = 10, minimumOrderQuantity = 1) {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool({ minimumOrderQuantity })];
    const { body } = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity });
    const [id, total] = [body._id, totalQuantity * 7];
    const readRow = async () => (await testKit.deps.db.select().from(orders).where(eq(orders.id, id)))[0]!;
    return { ann, tool, id, total, readRow, readAvailable: () => testKit.readAvailable(tool.id) };
  }

  // Clauses C.6.5, C.6.7
  it('a hold ends after two hours, and its order stays priced and unpaid', async () => {
    const { ann, id, readRow, readAvailable } = await placeUnpaidOrder();
    await withClockAhead(1.99, endHolds);
    expect(await readAvailable()).toBe(90);
    await withClockAhead(2.01, endHolds);
    expect(await readAvailable()).toBe(100);
    expect(await readRow()).toMatchObject({ state: 'unpaid', unitPrice: 7, holdsStock: false, holdUntil: null });
    expect((await testKit.call(ann, 'GET', `/order/${id}`)).body).toMatchObject({ price: 7, paid: false });
  });

  // Clause C.6.7
  it('when a hold ends, the intent is canceled before the stock is released', async () => {
    const { ann, id, total, readAvailable } = await placeUnpaidOrder();
    const { intentId, body } = await testKit.createIntent(ann, id, total);
    let statusBeforeRelease: string | undefined;
    testKit.runBefore('end hold', async () => {
      statusBeforeRelease = (await testKit.deps.provider.findIntent(intentId))?.status;
      expect(await readAvailable()).toBe(90);
    });
    await withClockAhead(3, endHolds);
    expect([statusBeforeRelease, await readAvailable()]).toEqual(['canceled', 100]);
    expect((await testKit.confirm(body.clientSecret)).status).not.toBe('succeeded');
  });

  it('a payment that starts while the hold is ending waits, and then takes the stock again', async () => {
    const { ann, id, total, readAvailable } = await placeUnpaidOrder();
    let payment: ReturnType<PaymentTestKit['createIntent']> | undefined;
    testKit.runBefore('end hold', async () => {
      clockOffsetHours = 0;
      payment = testKit.createIntent(ann, id, total);
    });
    await withClockAhead(2.01, endHolds);
    expect((await payment)?.status).toBe(200);
    expect(await readAvailable()).toBe(90);
  });

  it('a sweep whose claim on an order has expired does not release the stock if the order has just been paid', async () => {
    const { ann, id, total, readRow, readAvailable } = await placeUnpaidOrder();
    testKit.runBefore('end hold', async () => {
      clockOffsetHours = 0;
      await testKit.deps.db.execute(
        sql`update orders set deleting_until = now() - interval '1 second' where id = ${id}`,
      );
      expect((await testKit.pay(ann, id, total)).status).toBe(200);
    });
    await withClockAhead(2.01, endHolds);
    expect([(await readRow()).state, await readAvailable()]).toEqual(['paid', 90]);
  });

  it('a sweep whose claim on an order has expired does not release the stock if a payment has just started', async () => {
    const { ann, id, total, readRow, readAvailable } = await placeUnpaidOrder();
    testKit.runBefore('end hold', async () => {
      clockOffsetHours = 0;
      await testKit.deps.db.execute(
        sql`update orders set deleting_until = now() - interval '1 second' where id = ${id}`,
      );
      expect((await testKit.createIntent(ann, id, total)).status).toBe(200);
    });
    await withClockAhead(2.01, endHolds);
    expect([(await readRow()).holdsStock, await readAvailable()]).toEqual([true, 90]);
  });

  // Clauses C.6.6, C.10.12
  it('four simultaneous sweeps end each hold once', async () => {
    const placedOrders = await Promise.all(Array.from({ length: 30 }, () => placeUnpaidOrder()));
    const dueCount = await withClockAhead(2.01, () =>
      testKit.deps.db.$count(orders, and(eq(orders.state, 'unpaid'), lte(orders.holdUntil, testKit.deps.now()))),
    );
    expect(dueCount).toBeGreaterThanOrEqual(30);
    const endedCounts = await withClockAhead(2.01, () => Promise.all([endHolds(), endHolds(), endHolds(), endHolds()]));
    expect(endedCounts.reduce((sum, n) => sum + n, 0)).toBe(dueCount);
    expect(await Promise.all(placedOrders.map(({ readAvailable }) => readAvailable()))).toEqual(
      placedOrders.map(() => 100),
    );
  });

  it('a hold that cannot end while the payment provider is down ends at the first sweep after the outage', async () => {
    const { ann, id, total, readRow, readAvailable } = await placeUnpaidOrder();
    await testKit.createIntent(ann, id, total);
    fault = { status: 500 };
    await withClockAhead(3, endHolds);
    expect([await readAvailable(), (await testKit.call(ann, 'DELETE', `/order/${id}`)).body.code]).toEqual([
      90,
      'payment_provider_unavailable',
    ]);
    fault = undefined;
    expect(await readRow()).toMatchObject({ state: 'unpaid', holdsStock: true, claimedUntil: null });
    await withClockAhead(3, endHolds);
    expect(await readAvailable()).toBe(100);
  });

  it('an intent that the provider does not know, for example after the API keys were changed, does not keep a hold from ending', async () => {
    const [swept, deleted] = [await placeUnpaidOrder(), await placeUnpaidOrder()];
    for (const { ann, id, total } of [swept, deleted]) {
      await testKit.createIntent(ann, id, total);
      await testKit.deps.db.execute(
        sql`update payment_attempts set intent_id = ${`pi_of_other_keys_${id.slice(0, 8)}`} where order_id = ${id}`,
      );
    }
    expect((await testKit.call(deleted.ann, 'DELETE', `/order/${deleted.id}`)).status).toBe(204);
    await withClockAhead(3, endHolds);
    expect([await swept.readAvailable(), await deleted.readAvailable()]).toEqual([100, 100]);
    expect((await testKit.pay(swept.ann, swept.id, swept.total)).body.paid).toBe(true);
  });

  // Clause C.6.5
  it('an order whose payment is processing can be neither deleted nor paid again, and its hold continues', async () => {
    const { ann, id, total, readAvailable } = await placeUnpaidOrder();
    const { intentId } = await testKit.createIntent(ann, id, total);
    await testKit.deps.db.execute(sql`update embedded_stripe.intents set status = 'processing' where id = ${intentId}`);
    const { provider } = testKit.deps;
    const cancelSpy = jest.spyOn(provider, 'cancelIntent').mockImplementation((id) => provider.findIntent(id));
    const responses = [await testKit.call(ann, 'DELETE', `/order/${id}`), await testKit.createIntent(ann, id, total)];
    expect(responses.map(({ status, body }) => [status, body])).toMatchObject(
      responses.map(() => [
        409,
        {
          code: 'payment_in_progress',
          detail: 'A payment for this order is being processed. Wait a moment, then reload the page.',
        },
      ]),
    );
    await withClockAhead(3, endHolds);
    expect(await readAvailable()).toBe(90);
    cancelSpy.mockRestore();
    await withClockAhead(3, endHolds);
    expect(await readAvailable()).toBe(90);
    await testKit.deps.db.execute(
      sql`update embedded_stripe.intents set status = 'requires_payment_method' where id = ${intentId}`,
    );
    await withClockAhead(6, endHolds);
    expect(await readAvailable()).toBe(100);
  });

  it('a hold that cannot end does not keep other holds from ending', async () => {
    const stuck = await placeUnpaidOrder();
    await testKit.createIntent(stuck.ann, stuck.id, stuck.total);
    const otherOrder = await placeUnpaidOrder();
    await testKit.deps.db.execute(
      sql`update orders set hold_until = hold_until + interval '1 second' where id = ${otherOrder.id}`,
    );
    fault = { status: 500 };
    await withClockAhead(3, endHolds);
    fault = undefined;
    expect([await stuck.readAvailable(), await otherOrder.readAvailable()]).toEqual([90, 100]);
    expect(await stuck.readRow()).toMatchObject({ claimedUntil: null });
  });

  it('a server that is stopping does not end any more holds', async () => {
    const { readAvailable } = await placeUnpaidOrder();
    expect(await withClockAhead(3, () => endExpiredHolds({ ...testKit.deps, closing: AbortSignal.abort() }))).toBe(0);
    expect(await readAvailable()).toBe(90);
  });
});

describe('The settings of holds', () => {
  const HOUR_MS = 3_600_000;
  let clockOffsetHours = 0;
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    const now = () => new Date(Date.now() + clockOffsetHours * HOUR_MS);
    testKit = await openPaymentTestKit({ now, env: { HOLD_HOURS: '5', MAX_UNPAID_ORDERS: '3' } });
  });
  afterAll(async () => {
    expect(await testKit.countWrongStocks()).toBe(0);
    await testKit.close();
  });

  // Clauses C.6.5, C.6.17
  it('MAX_UNPAID_ORDERS limits the number of unpaid orders with a price, and HOLD_HOURS limits how long their stock is reserved', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
    const statuses = [];
    for (let n = 0; n < 4; n++)
      statuses.push((await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 1 })).status);
    expect(statuses).toEqual([201, 201, 201, 409]);
    for (const [hoursLater, available] of [
      [4.99, 97],
      [5.01, 100],
    ]) {
      clockOffsetHours = hoursLater!;
      await endExpiredHolds(testKit.deps);
      expect(await testKit.readAvailable(tool.id)).toBe(available);
    }
  });
});
