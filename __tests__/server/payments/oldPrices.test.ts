import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/jobs/sweep';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let testKit: PaymentTestKit;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
});
afterAll(() => testKit.close());
afterEach(async () => {
  expect(await testKit.runAudit()).toEqual([]);
});

type UnpaidOrder = Awaited<ReturnType<PaymentTestKit['createUnpaidOrder']>>;

const setPrice = (toolId: string, price: number) =>
  testKit.queryRows(sql`update tools set price = ${price} where id = ${toolId}`);
const makeOlder = (order: string, days: number) =>
  testKit.queryRows(sql`
    with o as (update orders set created_at = created_at - make_interval(days => ${days}),
      priced_at = priced_at - make_interval(days => ${days}) where id = ${order} returning id)
    update payment_attempts a set created_at = created_at - make_interval(days => ${days}) from o where order_id = o.id`);

/** Creates an order of two pieces at $7 each, eight days ago. The tool costs `price` now. */
async function createOutdatedOrder(price = 9, options: Parameters<PaymentTestKit['createUnpaidOrder']>[0] = {}) {
  const unpaidOrder = await testKit.createUnpaidOrder(options);
  await setPrice(unpaidOrder.tool.id, price);
  await makeOlder(unpaidOrder.order._id, 8);
  return unpaidOrder;
}

const startPayment = async ({ customer, order }: UnpaidOrder, total: number) => {
  const { status, body } = await testKit.createIntent(customer, order._id, total);
  return [status, body.code, body.meta];
};
const readPrice = async ({ customer, order }: UnpaidOrder) =>
  (await testKit.call(customer, 'GET', `/order/${order._id}`)).body.price;

describe('Paying for an order that is older than seven days', () => {
  it('answers 409 with the new price, and starts the payment once the new total is sent', async () => {
    const unpaidOrder = await createOutdatedOrder();
    const { status, body } = await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, 14);
    expect([status, body.code, body.meta]).toEqual([409, 'price_changed', { price: 9 }]);
    expect(body).toMatchObject({ detail: 'The price is now $9 each. Review the new total before you pay.' });
    expect([await testKit.countIntents(unpaidOrder.order._id), await readPrice(unpaidOrder)]).toEqual([0, 7]);

    const accepted = await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, 18);
    expect([accepted.status, accepted.body.amount, await readPrice(unpaidOrder)]).toEqual([200, 1800, 9]);
    const { intentId } = await testKit.confirm(accepted.body.clientSecret);
    expect((await testKit.patchOrder(unpaidOrder.customer, unpaidOrder.order._id, intentId)).body).toMatchObject({
      paid: true,
      price: 9,
    });
  });

  it('cancels an open payment at the old price before it answers 409', async () => {
    const unpaidOrder = await testKit.createUnpaidOrder();
    const oldIntent = await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, 14);
    await setPrice(unpaidOrder.tool.id, 9);
    await makeOlder(unpaidOrder.order._id, 8);
    expect(await startPayment(unpaidOrder, 14)).toEqual([409, 'price_changed', { price: 9 }]);
    expect((await testKit.confirm(oldIntent.body.clientSecret)).error?.code).toBe('payment_intent_unexpected_state');
    const accepted = await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, 18);
    expect([accepted.status, accepted.body.amount]).toEqual([200, 1800]);
    expect(accepted.body.clientSecret).not.toBe(oldIntent.body.clientSecret);
  });

  it('is refused while the provider is processing a payment at the old price', async () => {
    const unpaidOrder = await testKit.createUnpaidOrder();
    await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, 14);
    await setPrice(unpaidOrder.tool.id, 9);
    await makeOlder(unpaidOrder.order._id, 8);
    await testKit.queryRows(sql`
      update embedded_stripe.intents set status = 'processing' where metadata->>'order_id' = ${unpaidOrder.order._id}`);
    const { provider } = testKit.deps;
    const cancelSpy = jest.spyOn(provider, 'cancelIntent').mockImplementation((id) => provider.findIntent(id));
    expect(await startPayment(unpaidOrder, 18)).toEqual([409, 'payment_in_progress', undefined]);
    cancelSpy.mockRestore();
    expect(
      await testKit.queryRows(sql`select state from payment_attempts where order_id = ${unpaidOrder.order._id}`),
    ).toEqual([{ state: 'open' }]);
  });

  it('reports the order as paid if it was already charged at the old price', async () => {
    const unpaidOrder = await testKit.createChargedOrder();
    await setPrice(unpaidOrder.tool.id, 9);
    await makeOlder(unpaidOrder.order._id, 8);
    expect(await startPayment(unpaidOrder, 18)).toEqual([409, 'order_paid', undefined]);
    expect([await testKit.stateOf(unpaidOrder.order._id), await readPrice(unpaidOrder)]).toEqual(['paid', 7]);
  });

  it.each([1, 17, 19, 36])('refuses a total that does not match the new price: %d', async (total) => {
    const unpaidOrder = await createOutdatedOrder();
    expect(await startPayment(unpaidOrder, total)).toEqual([409, 'price_changed', { price: 9 }]);
    expect(await readPrice(unpaidOrder)).toBe(7);
  });

  it('reserves no stock before the new price is accepted', async () => {
    const unpaidOrder = await createOutdatedOrder();
    await testKit.endHold(unpaidOrder.order._id);
    expect(await startPayment(unpaidOrder, 14)).toEqual([409, 'price_changed', { price: 9 }]);
    expect(await testKit.readAvailable(unpaidOrder.tool.id)).toBe(100);
    expect((await startPayment(unpaidOrder, 18))[0]).toBe(200);
    expect(await testKit.readAvailable(unpaidOrder.tool.id)).toBe(98);
  });

  it('refuses a new total above the largest amount that can be charged', async () => {
    const unpaidOrder = await createOutdatedOrder(1_000_000);
    expect(await startPayment(unpaidOrder, 2_000_000)).toEqual([
      409,
      'price_changed',
      { price: 1_000_000, max: 999_999 },
    ]);
    expect([await testKit.countIntents(unpaidOrder.order._id), await readPrice(unpaidOrder)]).toEqual([0, 7]);
    const { body } = await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, 14);
    expect(body).toMatchObject({
      detail:
        'The price is now $1,000,000 each, and the total of $2,000,000 is above the $999,999 that you can pay at once. ' +
        'Delete this order and place a smaller one.',
    });
  });

  it('starts the payment if the price has not changed, and that price is then valid for seven more days', async () => {
    const unpaidOrder = await createOutdatedOrder(7);
    expect(await startPayment(unpaidOrder, 15)).toEqual([409, 'total_mismatch', { total: 14 }]);
    expect((await startPayment(unpaidOrder, 14))[0]).toBe(200);
    await setPrice(unpaidOrder.tool.id, 9);
    await makeOlder(unpaidOrder.order._id, 6);
    expect((await startPayment(unpaidOrder, 14))[0]).toBe(200);
    await makeOlder(unpaidOrder.order._id, 2);
    expect(await startPayment(unpaidOrder, 14)).toEqual([409, 'price_changed', { price: 9 }]);
  });

  it('results in a single payment at the new price, whatever totals many tabs send simultaneously', async () => {
    const unpaidOrder = await testKit.createUnpaidOrder();
    await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, 14);
    await setPrice(unpaidOrder.tool.id, 9);
    await makeOlder(unpaidOrder.order._id, 8);
    const totals = Array.from({ length: 12 }, (_, n) => (n % 2 ? 14 : 18));
    const responses = await Promise.all(
      totals.map((total) => testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, total)),
    );
    const outcomes = new Set(responses.map(({ body }, n) => `${totals[n]} ${body.code ?? body.amount}`));
    outcomes.delete('14 total_mismatch');
    expect([...outcomes].sort()).toEqual(expect.arrayContaining(['18 1800']));
    expect([...outcomes].filter((outcome) => !['18 1800', '14 price_changed'].includes(outcome))).toEqual([]);
    const openIntents = await testKit.queryRows(sql`select amount::text from embedded_stripe.intents
      where metadata->>'order_id' = ${unpaidOrder.order._id} and status <> 'canceled'`);
    expect(openIntents).toEqual([{ amount: '1800' }]);
  });

  it('uses the price that the tool has when the order is locked', async () => {
    const unpaidOrder = await createOutdatedOrder(7);
    testKit.runBefore('begin payment', () => setPrice(unpaidOrder.tool.id, 9));
    expect(await startPayment(unpaidOrder, 14)).toEqual([409, 'price_changed', { price: 9 }]);
  });
});

it('an order that is six days old is paid at its own price, even if the price of the tool has changed', async () => {
  const unpaidOrder = await testKit.createUnpaidOrder();
  await setPrice(unpaidOrder.tool.id, 9);
  await makeOlder(unpaidOrder.order._id, 6);
  expect(await startPayment(unpaidOrder, 18)).toEqual([409, 'total_mismatch', { total: 14 }]);
  expect((await startPayment(unpaidOrder, 14))[0]).toBe(200);
});

it('the sweep cancels an open payment at an old price', async () => {
  const unpaidOrder = await testKit.createUnpaidOrder();
  const { body, intentId } = await testKit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, 14);
  await setPrice(unpaidOrder.tool.id, 9);
  await sweepOnce(testKit.deps);
  expect((await testKit.provider.findIntent(intentId))?.status).not.toBe('canceled');
  await makeOlder(unpaidOrder.order._id, 8);
  await sweepOnce(testKit.deps);
  expect((await testKit.confirm(body.clientSecret)).error?.code).toBe('payment_intent_unexpected_state');
});
