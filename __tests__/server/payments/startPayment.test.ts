import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { CARDS } from '../../support/cards';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let desk: PaymentTestKit;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true });
});
afterEach(async () => {
  expect(await desk.findings()).toEqual([]);
});
afterAll(() => desk.close());

const paidWith = (intentId: string) => ({ paid: true, transactionId: intentId });

describe('Asking for a payment', () => {
  // Clauses A.7.12, A.9.3, C.8.1, C.8.3, C.9.1
  it('answers the secret of one intent of the order’s own total, in cents', async () => {
    const { who, order } = await desk.unpaid({ price: 12, quantity: 30 });
    const { status, body } = await desk.ask(who, order._id, 360);
    expect(status).toBe(200);
    expect(body).toEqual({
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      order: order._id,
      amount: 36_000,
      currency: 'usd',
    });
    expect(await desk.provider.findIntent(body.clientSecret.split('_secret_')[0]!)).toMatchObject({
      amount: 36_000,
      metadata: { app: 'forgeline', order_id: order._id, attempt: '1' },
    });
  });

  // Clause C.8.2
  it('takes the caller’s newest unpaid order of that total when none is named', async () => {
    const { who, tool } = await desk.unpaid({ price: 12, quantity: 30, stock: 200 });
    const again = await desk.order(who, { productName: tool.name, toolId: tool.id, totalQuantity: 30 });
    const { body } = await desk.call<{ order: string }>(who, 'POST', '/create-payment-intent', { totalPrice: 360 });
    expect(body.order).toBe(again.body._id);
    const none = await desk.call(who, 'POST', '/create-payment-intent', { totalPrice: 361 });
    expect([none.status, none.body.code]).toEqual([422, 'no_such_order']);
  });

  // Clauses C.8.2, C.8.3
  it.each([1, 13, 15, 1e12])('refuses another total than the order’s: %p', async (totalPrice) => {
    const { who, order } = await desk.unpaid();
    const { status, body } = await desk.ask(who, order._id, totalPrice);
    expect([status, body.code, body.meta]).toEqual([409, 'total_mismatch', { total: 14 }]);
    expect(await desk.intents(order._id)).toBe(0);
  });

  it.each([-1, 0, 1.5, 'abc', '14', null, [14], true])('refuses a total that is none: %p', async (totalPrice) => {
    const { who, order } = await desk.unpaid();
    expect((await desk.ask(who, order._id, totalPrice)).status).toBe(422);
    expect(await desk.intents(order._id)).toBe(0);
  });

  // Clause C.2.11
  it('is for the owner alone: somebody else’s order is not there, an admin’s neither', async () => {
    const { order } = await desk.unpaid();
    for (const who of [await desk.customer(), await desk.customer('admin')]) {
      expect((await desk.ask(who, order._id, 14)).status).toBe(404);
      expect((await desk.patch(who, order._id, 'pi_1')).status).toBe(404);
    }
    expect((await desk.ask(null, order._id, 14)).status).toBe(401);
    expect((await desk.patch(null, order._id, 'pi_1')).status).toBe(401);
  });

  // Clauses C.4.4, C.6.11
  it('refuses an order without a price', async () => {
    const { who, order } = await desk.unpaid({ quantity: 101 });
    const { status, body } = await desk.ask(who, order._id, 707);
    expect([status, body.code]).toEqual([409, 'order_unpriced']);
  });

  // Clause C.8.4
  it('gives every tab and device the same intent, however many ask at once', async () => {
    const { who, order, total } = await desk.unpaid();
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.ask(who, order._id, total)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.clientSecret)).size).toBe(1);
    expect(await desk.intents(order._id)).toBe(1);
    const secret = answers[0]!.body.clientSecret;
    const both = await Promise.all([desk.confirm(secret), desk.confirm(secret)]);
    expect(both.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    await desk.patch(who, order._id, both[0]!.intentId);
    expect([await desk.charges(order._id), await desk.count('payments', order._id)]).toEqual([1, 1]);
  });

  // Clause C.8.7
  it('settles an intent that has succeeded meanwhile and says that the order is paid', async () => {
    const { who, order, total, intentId } = await desk.charged();
    const { status, body } = await desk.ask(who, order._id, total);
    expect([status, body.code]).toEqual([409, 'order_paid']);
    expect((await desk.call(who, 'GET', `/order/${order._id}`)).body).toMatchObject(paidWith(intentId));
  });

  it('begins another attempt after an intent was cancelled', async () => {
    const { who, order, total } = await desk.unpaid();
    const first = (await desk.ask(who, order._id, total)).body.clientSecret;
    await desk.provider.cancelIntent(first.split('_secret_')[0]!);
    const second = (await desk.ask(who, order._id, total)).body.clientSecret;
    expect(second).not.toBe(first);
    const { intentId } = await desk.confirm(second);
    expect((await desk.patch(who, order._id, intentId)).body).toMatchObject(paidWith(intentId));
  });
});

describe('Telling that an order is paid', () => {
  // Clauses A.3.4, A.4.6, A.7.11, C.3.9, C.8.9
  it('makes it paid, and the same again is answered the same', async () => {
    const { who, order, intentId } = await desk.charged();
    const answers = [await desk.patch(who, order._id, intentId), await desk.patch(who, order._id, intentId)];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toEqual({ ...order, ...paidWith(intentId) });
    }
    expect(await desk.rows(sql`select * from payments where order_id = ${order._id}`)).toMatchObject([
      { intent_id: intentId, amount_cents: '1400', currency: 'usd' },
    ]);
  });

  // Clause C.8.11
  it('has one effect when told twenty times at once', async () => {
    const { who, order, intentId } = await desk.charged();
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.patch(who, order._id, intentId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await desk.count('payments', order._id)).toBe(1);
  });

  // Clause C.8.10
  it('believes no made-up transaction', async () => {
    const { who, order, total } = await desk.unpaid();
    for (const id of ['pi_madeup', 'nonsense', '../../etc', `pi_${'x'.repeat(200)}`, 'ch_1']) {
      const { status, body } = await desk.patch(who, order._id, id);
      expect([status, body.errors?.[0]?.field]).toEqual([422, 'transactionId']);
    }
    const { clientSecret } = (await desk.ask(who, order._id, total)).body;
    const unconfirmed = await desk.patch(who, order._id, clientSecret.split('_secret_')[0]!);
    expect([unconfirmed.status, unconfirmed.body.code]).toEqual([402, 'payment_not_complete']);
    expect(await desk.stateOf(order._id)).toBe('unpaid');
  });

  // Clause C.8.10
  it.each(['declined', 'asks'] as const)('does not take a card that %s for a payment', async (card) => {
    const { who, order, total } = await desk.unpaid();
    const { intentId } = await desk.confirm((await desk.ask(who, order._id, total)).body.clientSecret, CARDS[card]);
    expect((await desk.patch(who, order._id, intentId)).status).toBe(402);
    await desk.provider.cancelIntent(intentId);
    expect((await desk.patch(who, order._id, intentId)).status).toBe(402);
    expect(await desk.stateOf(order._id)).toBe('unpaid');
  });

  // Clause C.8.10
  it('does not pay a dear order with the intent of a cheap one', async () => {
    const cheap = await desk.charged({ price: 1, quantity: 1 });
    const dear = await desk.unpaid({ price: 1000, quantity: 2, who: cheap.who });
    const crossed = await desk.patch(dear.who, dear.order._id, cheap.intentId);
    expect([crossed.status, crossed.body.code]).toEqual([409, 'payment_already_used']);
    expect(await desk.stateOf(dear.order._id)).toBe('unpaid');
    expect((await desk.patch(cheap.who, cheap.order._id, cheap.intentId)).status).toBe(200);
  });

  // Clause C.8.10
  it('takes no intent of another shop on the same account', async () => {
    const { who, order } = await desk.unpaid();
    const metadata = { app: 'forgeline', shop: 'another', order_id: order._id, attempt: '1' };
    const draft = { amountCents: 1400, currency: 'usd', metadata, idempotencyKey: randomUUID() };
    const { clientSecret } = await desk.provider.createIntent(draft);
    const { intentId } = await desk.confirm(clientSecret!);
    expect((await desk.patch(who, order._id, intentId)).status).toBe(422);
    expect(await desk.stateOf(order._id)).toBe('unpaid');
  });

  it('refuses a body that names another order', async () => {
    const { who, order, intentId } = await desk.charged();
    const body = { order: randomUUID(), transactionId: intentId };
    expect((await desk.call(who, 'PATCH', `/order/${order._id}`, body)).status).toBe(422);
    expect((await desk.patch(who, randomUUID(), intentId)).status).toBe(404);
    expect((await desk.patch(who, 'what', intentId)).status).toBe(404);
    await desk.patch(who, order._id, intentId);
  });
});

describe('Stock', () => {
  const release = (order: string) =>
    desk.rows(sql`
      with o as (update orders set holds_stock = false, hold_until = null where id = ${order} returning tool_id, quantity)
      update tools t set available_quantity = available_quantity + o.quantity from o where t.id = o.tool_id`);

  // Clause C.6.8
  it('is taken again by paying after the hold has ended', async () => {
    const { who, order, total, tool } = await desk.unpaid({ quantity: 10, stock: 10 });
    await release(order._id);
    expect(await desk.available(tool.id)).toBe(10);
    expect((await desk.ask(who, order._id, total)).status).toBe(200);
    expect(await desk.available(tool.id)).toBe(0);
    expect((await desk.call(null, 'GET', `/tool/${tool.id}`)).body).toMatchObject({ availableQuantity: 0 });
  });

  // Clause C.4.5
  it('that is gone is said before any card is asked for, with what is left', async () => {
    const { who, order, total, tool } = await desk.unpaid({ quantity: 10, stock: 10 });
    await release(order._id);
    await desk.order(await desk.customer(), { productName: tool.name, toolId: tool.id, totalQuantity: 4 });
    const { status, body } = await desk.ask(who, order._id, total);
    expect([status, body.code, body.meta]).toEqual([409, 'out_of_stock', { min: 3, available: 6 }]);
    expect(await desk.intents(order._id)).toBe(0);
  });

  it('is held longer while a payment is open', async () => {
    const { who, order, total } = await desk.unpaid();
    await desk.rows(sql`update orders set hold_until = now() + interval '1 minute' where id = ${order._id}`);
    await desk.ask(who, order._id, total);
    const [row] = await desk.rows(sql`select hold_until > now() + interval '20 minutes' as longer from orders
      where id = ${order._id}`);
    expect(row).toEqual({ longer: true });
  });
});
