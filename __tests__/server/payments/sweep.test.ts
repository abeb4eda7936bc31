import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { openPool } from '../../../server/db/database';
import { runUnlessSweeping } from '../../../server/db/locks';
import { endExpiredHolds } from '../../../server/holds/endHolds';
import { PaymentProviderDown } from '../../../server/payments/provider';
import { checkOpenAttempts, listSucceededSince, recordMissedPayments } from '../../../server/payments/reconcile';
import { startSweeps, sweepOnce } from '../../../server/jobs/sweep';
import { PAYING_CARD_DIGITS } from '../../support/cards';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { expectEventually } from '../../support/wait';

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

test('only one server sweeps at a time, and another one can sweep after a sweep that failed', async () => {
  const { db } = testKit.deps;
  const otherDb = openPool(testKit.database!.connection, () => undefined, 2);
  const runs: string[] = [];
  const sweepAs = (server: typeof db, name: string, work = () => Promise.resolve()) =>
    runUnlessSweeping(server, async () => {
      runs.push(name);
      await work();
    });
  await sweepAs(db, 'first', () => sweepAs(otherDb, 'during the first'));
  await expect(sweepAs(otherDb, 'second', () => Promise.reject(new Error('fails')))).rejects.toThrow('fails');
  // PostgreSQL notices a closed connection a moment later.
  await expectEventually(async () => {
    await sweepAs(db, 'third');
    return runs.includes('third');
  }, true);
  expect(runs).toEqual(['first', 'second', 'third']);
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

  it('checks payments in batches', async () => {
    const chargedOrders = [await testKit.createChargedOrder(), await testKit.createChargedOrder()];
    const batches = [];
    for await (const batch of listSucceededSince(testKit.deps, new Date(0))) batches.push(batch.map(({ id }) => id));
    expect(batches).toEqual([expect.arrayContaining(chargedOrders.map(({ intentId }) => intentId))]);
    await sweepOnce(testKit.deps);
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
  it('runs immediately when a server starts', async () => {
    const { order } = await testKit.createChargedOrder();
    const stop = startSweeps(testKit.deps);
    await expectEventually(() => testKit.stateOf(order._id), 'paid');
    await stop();
  });

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

  it('sends a single request to a provider that is down', async () => {
    for (let n = 0; n < 2; n++) await testKit.createChargedOrder();
    const findIntent = jest.fn(() => Promise.reject(new PaymentProviderDown()));
    const deps = { ...testKit.deps, provider: { ...testKit.provider, findIntent } };
    await expect(checkOpenAttempts(deps)).rejects.toThrow(PaymentProviderDown);
    expect(findIntent.mock.calls.length).toBe(1);
    await sweepOnce(testKit.deps);
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

// Clause C.11.5
it('the log of payments and sweeps contains no secrets', async () => {
  const { customer, order, intentId } = await testKit.createChargedOrder();
  await testKit.patchOrder(customer, order._id, intentId);
  await testKit.sendWebhook(testKit.webhookEvent(intentId));
  await testKit.sendWebhook(testKit.webhookEvent(intentId), 'forged');
  await testKit.patchOrder(customer, order._id, 'pi_nothing');
  expect(log).toContain('/create-payment-intent');
  for (const secret of [/sk_test_|whsec_|_secret_|Bearer /, PAYING_CARD_DIGITS]) expect(log).not.toMatch(secret);
  expect(log).not.toContain(customer.token);
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
