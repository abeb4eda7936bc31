import { sql } from 'drizzle-orm';
import { endExpiredHolds } from '../../../server/payments/endHolds';
import { sweepOnce } from '../../../server/payments/sweep';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let desk: PaymentTestKit;
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
const HOUR = 3_600_000;

beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true, now });
});
beforeEach(() => {
  ahead = 0;
});
afterAll(() => desk.close());

const sound = async () => expect(await desk.findings()).toEqual([]);
/** The customer's session, an hour or more later. */
const again = (who: { id: string; email: string }) => ({ ...who, token: desk.deps.tokens.issue(who.id) });

describe('Exactly before a payment is written down', () => {
  it('a delete finds that it is paid, and the order stays', async () => {
    const { who, order, intentId } = await desk.charged();
    let deleted: { status: number; body: { code?: string } } | undefined;
    desk.before('settle', async () => (deleted = await desk.call(who, 'DELETE', `/order/${order._id}`)));
    expect((await desk.patch(who, order._id, intentId)).status).toBe(200);
    expect([deleted!.status, deleted!.body.code]).toEqual([409, 'order_paid']);
    expect([await desk.stateOf(order._id), await desk.count('payments', order._id)]).toEqual(['paid', 1]);
    await sound();
  });

  it('a hold that ends finds that it is paid, and the stock stays with it', async () => {
    const { who, order, tool, intentId } = await desk.charged({ quantity: 10, stock: 10 });
    desk.before('settle', async () => {
      ahead = 3 * HOUR;
      await endExpiredHolds(desk.deps);
      ahead = 0;
    });
    expect((await desk.patch(who, order._id, intentId)).status).toBe(200);
    expect([await desk.stateOf(order._id), await desk.available(tool.id)]).toEqual(['paid', 0]);
    await sound();
  });

  it('another who settles the same has done it, once', async () => {
    const { who, order, intentId } = await desk.charged();
    desk.before('settle', () => desk.webhook(desk.eventOf(intentId)));
    expect((await desk.patch(who, order._id, intentId)).status).toBe(200);
    expect(await desk.count('payments', order._id)).toBe(1);
    await sound();
  });
});

describe('Exactly before the provider is asked for an intent', () => {
  // Clause C.8.5
  it('another tab waits for it, five seconds at most, and is told to try again', async () => {
    const { who, order, total } = await desk.unpaid();
    let second: { status: number; body: { code?: string } } | undefined;
    let took = 0;
    desk.before('create intent', async () => {
      const begun = performance.now();
      second = await desk.ask(who, order._id, total);
      took = performance.now() - begun;
    });
    const first = await desk.ask(who, order._id, total);
    expect([first.status, second!.status, second!.body.code]).toEqual([200, 503, 'payment_provider_unavailable']);
    expect(took).toBeGreaterThan(4_500);
    expect(took).toBeLessThan(9_500);
    expect(await desk.intents(order._id)).toBe(1);
  });

  // Clause C.8.4
  it('another tab that waits gets the same one', async () => {
    const { who, order, total } = await desk.unpaid();
    let second: ReturnType<typeof desk.ask> | undefined;
    desk.before('create intent', async () => {
      const waits = desk.looksAgain();
      second = desk.ask(who, order._id, total);
      await waits;
    });
    const first = await desk.ask(who, order._id, total);
    expect((await second!).body.clientSecret).toBe(first.body.clientSecret);
    expect(await desk.intents(order._id)).toBe(1);
  });

  it('another tab waits for the one that took over after its server died', async () => {
    const { who, order, total } = await desk.unpaid();
    await desk.rows(sql`insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
      values (${order._id}, 1, ${`key of ${order._id}`}, ${total * 100}, 'usd', now() - interval '1 second')`);
    let second: ReturnType<typeof desk.ask> | undefined;
    let madeMeanwhile: number | undefined;
    desk.before('create intent', async () => {
      const waits = desk.looksAgain();
      second = desk.ask(who, order._id, total);
      await waits;
      madeMeanwhile = await desk.intents(order._id);
    });
    const first = await desk.ask(who, order._id, total);
    expect([first.status, madeMeanwhile]).toEqual([200, 0]);
    expect((await second!).body.clientSecret).toBe(first.body.clientSecret);
    expect(await desk.intents(order._id)).toBe(1);
  });

  // Clause C.7.4
  it('a delete is told that a payment is going through', async () => {
    const { who, order, total } = await desk.unpaid();
    let deleted: { status: number; body: { code?: string } } | undefined;
    desk.before('create intent', async () => (deleted = await desk.call(who, 'DELETE', `/order/${order._id}`)));
    expect((await desk.ask(who, order._id, total)).status).toBe(200);
    expect([deleted!.status, deleted!.body.code]).toEqual([409, 'payment_in_progress']);
    expect(await desk.stateOf(order._id)).toBe('unpaid');
  });
});

describe('Exactly before the intent is kept', () => {
  it('who takes over a lease that is over ends with the same intent', async () => {
    const { who, order, total } = await desk.unpaid();
    let second: { body: { clientSecret: string } } | undefined;
    desk.before('keep intent', async () => {
      ahead = 31_000;
      second = await desk.ask(who, order._id, total);
    });
    const first = await desk.ask(who, order._id, total);
    expect(first.body.clientSecret).toBe(second!.body.clientSecret);
    expect(await desk.intents(order._id)).toBe(1);
  });

  it('a delete after the lease is over leaves nothing that could be paid', async () => {
    const { who, order, total } = await desk.unpaid();
    let deleted: { status: number } | undefined;
    desk.before('keep intent', async () => {
      ahead = 31_000;
      deleted = await desk.call(who, 'DELETE', `/order/${order._id}`);
    });
    const asked = await desk.ask(who, order._id, total);
    expect([deleted!.status, asked.status]).toEqual([204, 404]);
    const live = await desk.rows(sql`select id from sandbox_intents
      where metadata->>'order_id' = ${order._id} and status <> 'canceled'`);
    expect(live).toEqual([]);
    await sound();
  });
});

describe('A hold that is over', () => {
  // Clause C.6.7
  it('cancels the payment first, so that a card that comes late is refused', async () => {
    const { who, order, total, tool } = await desk.unpaid({ quantity: 10, stock: 10 });
    const { clientSecret } = (await desk.ask(who, order._id, total)).body;
    ahead = 3 * HOUR;
    await endExpiredHolds(desk.deps);
    const { error } = await desk.confirm(clientSecret);
    expect([error?.code, await desk.available(tool.id)]).toEqual(['payment_intent_unexpected_state', 10]);
    const anew = await desk.ask(await again(who), order._id, total);
    expect([anew.status, await desk.available(tool.id)]).toEqual([200, 0]);
    expect(anew.body.clientSecret).not.toBe(clientSecret);
    await sound();
  });

  it('keeps the stock of an order whose money had come', async () => {
    const { order, tool } = await desk.charged({ quantity: 10, stock: 10 });
    ahead = 3 * HOUR;
    await endExpiredHolds(desk.deps);
    expect([await desk.stateOf(order._id), await desk.available(tool.id)]).toEqual(['paid', 0]);
    await sound();
  });
});

describe('Money for an order whose hold is over', () => {
  it.each(['the browser', 'the webhook', 'the sweep'])('pays it while its stock is still there, by %s', async (by) => {
    const { who, order, tool, intentId } = await desk.charged({ quantity: 10, stock: 10 });
    await desk.giveBack(order._id);
    await desk.deps.catalog.changed('tools');
    const left = async () => [
      await desk.available(tool.id),
      (await desk.call<{ availableQuantity: number }>(null, 'GET', `/tool/${tool.id}`)).body.availableQuantity,
    ];
    expect(await left()).toEqual([10, 10]);
    if (by === 'the browser') expect((await desk.patch(who, order._id, intentId)).status).toBe(200);
    if (by === 'the webhook') expect((await desk.webhook(desk.eventOf(intentId))).status).toBe(200);
    if (by === 'the sweep') await sweepOnce(desk.deps);
    expect([await desk.stateOf(order._id), await desk.count('payments', order._id)]).toEqual(['paid', 1]);
    expect(await left()).toEqual([0, 0]);
    await sound();
  });
});

describe('Money for an order that can no longer take it', () => {
  /** The customer paid at a price of 7. */
  const ANOTHER_PRICE: Record<string, number> = { 'too little': 8, 'too much': 6 };

  /** As if the provider had let the card of a cancelled payment through. */
  async function lateMoney(state: string) {
    const made = await desk.charged({ quantity: 10, stock: 10 });
    const { order, tool } = made;
    if (state === 'deleted') {
      await desk.giveBack(order._id, sql`state = 'deleted', deleted_at = now()`);
      await desk.rows(sql`update order_counts set n = n - 1 where shard = 0`);
    } else if (state in ANOTHER_PRICE) {
      await desk.rows(sql`update orders set unit_price = ${ANOTHER_PRICE[state]} where id = ${order._id}`);
    } else {
      await desk.giveBack(order._id);
      await desk.order(await desk.customer(), { productName: tool.name, toolId: tool.id, totalQuantity: 10 });
    }
    return made;
  }

  // Clause C.8.13
  it.each(['deleted', 'out of stock', 'too little', 'too much'])(
    'is on record, and the customer reads a code: %s',
    async (state) => {
      const { who, order, intentId } = await lateMoney(state);
      const { status, body } = await desk.patch(who, order._id, intentId);
      expect([status, body.code, body.meta]).toEqual([409, 'payment_returned', { code: intentId.slice(-8) }]);
      expect((await desk.webhook(desk.eventOf(intentId))).status).toBe(200);
      expect((await desk.patch(who, order._id, intentId)).status).toBe(409);
      expect(await desk.findings()).toEqual([
        { name: 'refund_due', subject: intentId, detail: expect.stringContaining(intentId.slice(-8)) },
      ]);
      expect(await desk.deps.metrics.text()).toContain('forgeline_refunds_due 1');
      await desk.rows(sql`update payments set returned_at = now() where intent_id = ${intentId}`);
      await sound();
    },
  );
});
