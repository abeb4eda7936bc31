import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/payments/sweep';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let desk: PaymentTestKit;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true });
});
afterAll(() => desk.close());
afterEach(async () => {
  expect(await desk.findings()).toEqual([]);
});

type Made = Awaited<ReturnType<PaymentTestKit['unpaid']>>;

const setPrice = (toolId: string, price: number) =>
  desk.rows(sql`update tools set price = ${price} where id = ${toolId}`);
const age = (order: string, days: number) =>
  desk.rows(sql`
    with o as (update orders set created_at = created_at - make_interval(days => ${days}),
      priced_at = priced_at - make_interval(days => ${days}) where id = ${order} returning id)
    update payment_attempts a set created_at = created_at - make_interval(days => ${days}) from o where order_id = o.id`);

/** Two pieces at $7 each, ordered eight days ago, of a tool that is $9 now. */
async function outdated(price = 9, wanted: Parameters<PaymentTestKit['unpaid']>[0] = {}) {
  const made = await desk.unpaid(wanted);
  await setPrice(made.tool.id, price);
  await age(made.order._id, 8);
  return made;
}

const asked = async ({ who, order }: Made, total: number) => {
  const { status, body } = await desk.ask(who, order._id, total);
  return [status, body.code, body.meta];
};
const priceOf = async ({ who, order }: Made) => (await desk.call(who, 'GET', `/order/${order._id}`)).body.price;

describe('Paying for an order that is older than seven days', () => {
  it('answers 409 with the new price, and begins once its total is sent', async () => {
    const made = await outdated();
    const { status, body } = await desk.ask(made.who, made.order._id, 14);
    expect([status, body.code, body.meta]).toEqual([409, 'price_changed', { price: 9 }]);
    expect(body).toMatchObject({ detail: 'The price is now $9 each. Review the new total before you pay.' });
    expect([await desk.intents(made.order._id), await priceOf(made)]).toEqual([0, 7]);

    const accepted = await desk.ask(made.who, made.order._id, 18);
    expect([accepted.status, accepted.body.amount, await priceOf(made)]).toEqual([200, 1800, 9]);
    const { intentId } = await desk.confirm(accepted.body.clientSecret);
    expect((await desk.patch(made.who, made.order._id, intentId)).body).toMatchObject({ paid: true, price: 9 });
  });

  it('cancels an open payment at the old price before it answers', async () => {
    const made = await desk.unpaid();
    const old = await desk.ask(made.who, made.order._id, 14);
    await setPrice(made.tool.id, 9);
    await age(made.order._id, 8);
    expect(await asked(made, 14)).toEqual([409, 'price_changed', { price: 9 }]);
    expect((await desk.confirm(old.body.clientSecret)).error?.code).toBe('payment_intent_unexpected_state');
    const accepted = await desk.ask(made.who, made.order._id, 18);
    expect([accepted.status, accepted.body.amount]).toEqual([200, 1800]);
    expect(accepted.body.clientSecret).not.toBe(old.body.clientSecret);
  });

  it('accepts the new price at once although a payment at the old one is open', async () => {
    const made = await desk.unpaid();
    const old = await desk.ask(made.who, made.order._id, 14);
    await setPrice(made.tool.id, 9);
    await age(made.order._id, 8);
    const accepted = await desk.ask(made.who, made.order._id, 18);
    expect([accepted.status, accepted.body.amount]).toEqual([200, 1800]);
    expect((await desk.confirm(old.body.clientSecret)).error?.code).toBe('payment_intent_unexpected_state');
  });

  it('leaves an order paid whose money had come at the old price', async () => {
    const made = await desk.charged();
    await setPrice(made.tool.id, 9);
    await age(made.order._id, 8);
    expect(await asked(made, 18)).toEqual([409, 'order_paid', undefined]);
    expect([await desk.stateOf(made.order._id), await priceOf(made)]).toEqual(['paid', 7]);
  });

  it.each([1, 17, 19, 36])('accepts no other total than that of the new price: %d', async (total) => {
    const made = await outdated();
    expect(await asked(made, total)).toEqual([409, 'price_changed', { price: 9 }]);
    expect(await priceOf(made)).toBe(7);
  });

  it('takes no stock before the new price is accepted', async () => {
    const made = await outdated();
    await desk.giveBack(made.order._id);
    expect(await asked(made, 14)).toEqual([409, 'price_changed', { price: 9 }]);
    expect(await desk.available(made.tool.id)).toBe(100);
    expect((await asked(made, 18))[0]).toBe(200);
    expect(await desk.available(made.tool.id)).toBe(98);
  });

  it('refuses a new total that is above what can be charged', async () => {
    const made = await outdated(1_000_000);
    expect(await asked(made, 2_000_000)).toEqual([409, 'price_changed', { price: 1_000_000, max: 999_999 }]);
    expect([await desk.intents(made.order._id), await priceOf(made)]).toEqual([0, 7]);
    const { body } = await desk.ask(made.who, made.order._id, 14);
    expect(body).toMatchObject({
      detail:
        'The price is now $1,000,000 each, and the total of $2,000,000 is above the $999,999 that you can pay at once. ' +
        'Delete this order and place a smaller one.',
    });
  });

  it('goes on when the tool still has the same price, which then holds for seven days more', async () => {
    const made = await outdated(7);
    expect(await asked(made, 15)).toEqual([409, 'total_mismatch', { total: 14 }]);
    expect((await asked(made, 14))[0]).toBe(200);
    await setPrice(made.tool.id, 9);
    await age(made.order._id, 6);
    expect((await asked(made, 14))[0]).toBe(200);
    await age(made.order._id, 2);
    expect(await asked(made, 14)).toEqual([409, 'price_changed', { price: 9 }]);
  });

  it('keeps its price for seven days', async () => {
    const made = await desk.unpaid();
    await setPrice(made.tool.id, 9);
    await age(made.order._id, 6);
    expect(await asked(made, 18)).toEqual([409, 'total_mismatch', { total: 14 }]);
    expect((await asked(made, 14))[0]).toBe(200);
  });

  it('has one payment at the new price however many tabs ask for either price at once', async () => {
    const made = await desk.unpaid();
    await desk.ask(made.who, made.order._id, 14);
    await setPrice(made.tool.id, 9);
    await age(made.order._id, 8);
    const totals = Array.from({ length: 12 }, (_, n) => (n % 2 ? 14 : 18));
    const answers = await Promise.all(totals.map((total) => desk.ask(made.who, made.order._id, total)));
    const outcomes = new Set(answers.map(({ body }, n) => `${totals[n]} ${body.code ?? body.amount}`));
    outcomes.delete('14 total_mismatch');
    expect([...outcomes].sort()).toEqual(expect.arrayContaining(['18 1800']));
    expect([...outcomes].filter((outcome) => !['18 1800', '14 price_changed'].includes(outcome))).toEqual([]);
    const open = await desk.rows(sql`select amount::text from sandbox_intents
      where metadata->>'order_id' = ${made.order._id} and status <> 'canceled'`);
    expect(open).toEqual([{ amount: '1800' }]);
  });

  it('compares with the price that the tool has when the order is locked', async () => {
    const made = await outdated(7);
    desk.before('begin payment', () => setPrice(made.tool.id, 9));
    expect(await asked(made, 14)).toEqual([409, 'price_changed', { price: 9 }]);
  });
});

it('The sweep cancels an open payment at an old price', async () => {
  const made = await desk.unpaid();
  const { body } = await desk.ask(made.who, made.order._id, 14);
  await setPrice(made.tool.id, 9);
  await sweepOnce(desk.deps);
  expect((await desk.provider.findIntent(body.clientSecret.split('_secret_')[0]!))?.status).not.toBe('canceled');
  await age(made.order._id, 8);
  await sweepOnce(desk.deps);
  expect((await desk.confirm(body.clientSecret)).error?.code).toBe('payment_intent_unexpected_state');
});
