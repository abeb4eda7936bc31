import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { checkOpenAttempts } from '../../../server/payments/reconcile';
import { reconcile } from '../../../server/payments/reconcile';
import { startSweeps, sweepOnce } from '../../../server/payments/sweep';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { expectEventually } from '../../support/wait';

const HOUR_MS = 3_600_000;
let desk: PaymentTestKit;
let log = '';
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    log += chunk.toString();
    done();
  },
});

beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true, logger: pino({ level: 'trace' }, sink) });
});
afterAll(() => desk.close());
afterEach(async () => {
  expect(await desk.findings()).toEqual([]);
});

describe('The sweep', () => {
  // Clauses C.8.9, C.8.12
  it('finds what was paid when nobody said so', async () => {
    const made = [await desk.charged(), await desk.charged()];
    await sweepOnce(desk.deps);
    for (const { order } of made) expect(await desk.stateOf(order._id)).toBe('paid');
    expect(await desk.deps.metrics.text()).toContain('forgeline_unsettled_succeeded 0');
  });

  it('what another server wrote down is counted as unsettled no longer', async () => {
    const { order, intentId } = await desk.charged();
    desk.deps.unrecorded.add(intentId);
    expect(await desk.deps.metrics.text()).toContain('forgeline_unsettled_succeeded 1');
    await sweepOnce({ ...desk.deps, unrecorded: new Set() });
    expect(await desk.stateOf(order._id)).toBe('paid');
    expect(await desk.deps.metrics.text()).toContain('forgeline_unsettled_succeeded 0');
  });

  // Clause C.8.9
  it('runs at once when a server starts', async () => {
    const { order } = await desk.charged();
    const stop = startSweeps(desk.deps);
    await expectEventually(() => desk.stateOf(order._id), 'paid');
    await stop();
  });

  it('finds at the provider what no row here knows of', async () => {
    const { order, intentId } = await desk.charged();
    await desk.rows(
      sql`update payment_attempts set state = 'canceled', intent_id = null where order_id = ${order._id}`,
    );
    await reconcile(desk.deps);
    expect(await desk.rows(sql`select intent_id from payments where order_id = ${order._id}`)).toEqual([
      { intent_id: intentId },
    ]);
  });

  it('is done by one of several servers at a time, and by none that comes when it was just done', async () => {
    let [rounds, hours] = [0, 0];
    const now = () => new Date(Date.now() + hours * HOUR_MS);
    const sweep = (always: boolean) =>
      sweepOnce({ ...desk.deps, now, provider: { ...desk.provider, listIntents } }, always);
    const four = (always: boolean) => Promise.all(Array.from({ length: 4 }, () => sweep(always)));
    async function* listIntents(since: Date) {
      if (++rounds === 1) await four(true);
      yield* desk.provider.listIntents(since);
    }
    await sweep(true);
    expect(rounds).toBe(1);
    await four(false);
    expect(rounds).toBe(1);
    hours = 2;
    await four(false);
    expect(rounds).toBe(2);
  });

  it.each([checkOpenAttempts, reconcile])(
    'one payment in trouble keeps none behind it from being settled: %p',
    async (part) => {
      const made = [await desk.charged(), await desk.charged(), await desk.charged()];
      const states = async () => (await Promise.all(made.map(({ order }) => desk.stateOf(order._id)))).sort();
      desk.before('settle', () => Promise.reject(new Error('the server trips')));
      await part(desk.deps);
      expect(await states()).toEqual(['paid', 'paid', 'unpaid']);
      await part(desk.deps);
      expect(await states()).toEqual(['paid', 'paid', 'paid']);
    },
  );

  it('cancels the open payment of an order that takes no money any more', async () => {
    const { who, order, total } = await desk.unpaid();
    const { clientSecret } = (await desk.ask(who, order._id, total)).body;
    await desk.rows(sql`
      with o as (update orders set state = 'deleted', deleted_at = now(), holds_stock = false, hold_until = null
        where id = ${order._id} returning tool_id, quantity), c as (update order_counts set n = n - 1 where shard = 0)
      update tools t set available_quantity = available_quantity + o.quantity from o where t.id = o.tool_id`);
    await sweepOnce(desk.deps);
    expect((await desk.confirm(clientSecret)).error?.code).toBe('payment_intent_unexpected_state');
    expect(await desk.rows(sql`select state from payment_attempts where order_id = ${order._id}`)).toEqual([
      { state: 'canceled' },
    ]);
  });
});

// Clause C.11.5
it('No secret is ever in the log', async () => {
  const { who, order, intentId } = await desk.charged();
  await desk.patch(who, order._id, intentId);
  await desk.webhook(desk.eventOf(intentId));
  await desk.webhook(desk.eventOf(intentId), 'forged');
  await desk.patch(who, order._id, 'pi_nothing');
  expect(log).toContain('/create-payment-intent');
  expect(log).not.toMatch(/sk_test_|whsec_|_secret_|Bearer |4242/);
  expect(log).not.toContain(who.token);
});

// Clause C.6.24
it('The share of the stock that unpaid orders hold is a number to watch', async () => {
  await desk.rows(
    sql`update tools set stocked_quantity = stocked_quantity - available_quantity, available_quantity = 0`,
  );
  const { rows } = await desk.deps.db.execute<{ held: string }>(
    sql`select coalesce(sum(quantity), 0) as held from orders where state = 'unpaid' and holds_stock`,
  );
  const held = Number(rows[0]!.held) + 30;
  await desk.unpaid({ quantity: 30, stock: 100 });
  expect(await desk.deps.metrics.text()).toContain(`forgeline_stock_held_unpaid ${held / (held + 70)}`);
});
