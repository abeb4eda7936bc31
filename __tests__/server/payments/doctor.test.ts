import { sql } from 'drizzle-orm';
import type { Finding } from '../../../server/payments/audit';
import { connect } from '../../../server/cli/connect';
import { main } from '../../../server/cli/doctor';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const PUBLIC_TEST_SHOP = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  PUBLIC_URL: 'https://shop.example',
};

let desk: PaymentTestKit;
let paid: Awaited<ReturnType<PaymentTestKit['charged']>>;

beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true });
  paid = await desk.charged();
  await desk.patch(paid.who, paid.order._id, paid.intentId);
});
afterAll(() => desk.close());

async function doctor(...argv: string[]) {
  return doctorWith({}, ...argv);
}

async function doctorWith(env: Record<string, string>, ...argv: string[]) {
  let said = '';
  const hear = (chunk: unknown) => ((said += String(chunk)), true);
  const out = jest.spyOn(process.stdout, 'write').mockImplementation(hear);
  const err = jest.spyOn(process.stderr, 'write').mockImplementation(hear);
  try {
    return { code: await main(argv, { DATABASE_URL: desk.database!.url, ...env }), said };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

/** What the doctor finds while something is wrong, and that it finds nothing once it is mended. */
async function finds(names: string | string[], breakIt: ReturnType<typeof sql>, mendIt: ReturnType<typeof sql>) {
  await desk.rows(breakIt);
  const { code, said } = await doctor('--json');
  await desk.rows(mendIt);
  expect((JSON.parse(said) as Finding[]).map(({ name }) => name)).toEqual(expect.arrayContaining([names].flat()));
  expect(code).toBe(1);
  expect((await doctor()).code).toBe(0);
}

// Clause C.8.14
it('Says so when money and stock add up', async () => {
  expect(await doctor()).toEqual({ code: 0, said: 'Money and stock add up.\n' });
  expect(await doctor('--json')).toEqual({ code: 0, said: '[]\n' });
  expect((await doctor('--what')).code).toBe(1);
});

it('warns about Stripe’s test keys on a public origin and about an exposed demo', async () => {
  const { code, said } = await doctorWith({ ...PUBLIC_TEST_SHOP, DEMO_EXPOSED: 'on' }, '--returned', 'pi_nobody');
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/^warning: DEMO_EXPOSED=on.*\nwarning: STRIPE_SECRET_KEY is a test key/),
  ]);
});

const asked = async (like: string) =>
  (await desk.rows(sql`select from pg_stat_activity where query like ${like}`)).length;

it('Waits for an answer that takes its time', async () => {
  const { db, close } = await connect({ DATABASE_URL: desk.database!.url });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  try {
    const slow = db.$client.query(`select pg_sleep(0.5), 'here' as answer`);
    while ((await asked('select pg_sleep(0.5)%')) === 0);
    jest.advanceTimersByTime(60_000);
    expect((await slow).rows).toMatchObject([{ answer: 'here' }]);
  } finally {
    jest.useRealTimers();
    await close();
  }
});

describe('Names what does not hold:', () => {
  // Clause C.8.14
  it('stock that is lost', () =>
    finds(
      'stock_does_not_add_up',
      sql`update tools set available_quantity = available_quantity - 1`,
      sql`update tools set available_quantity = available_quantity + 1`,
    ));

  // Clause C.8.14
  it('a paid order without its payment, and money at the provider that is recorded nowhere', async () => {
    const { intentId, order } = paid;
    await finds(
      ['paid_without_payment', 'succeeded_not_recorded'],
      sql`delete from payments where intent_id = ${intentId}`,
      sql`insert into payments (intent_id, order_id, outcome, amount_cents, currency)
        values (${intentId}, ${order._id}, 'paid', 1400, 'usd')`,
    );
  });

  // Clause C.8.14
  it('an attempt that succeeded and left no trace', () =>
    finds(
      'succeeded_attempt_without_record',
      sql`update payment_attempts set intent_id = 'pi_other'`,
      sql`update payment_attempts set intent_id = ${paid.intentId}`,
    ));

  // Clause C.8.14
  it('a payment of another amount', () =>
    finds(
      'payment_of_other_amount',
      sql`update payments set amount_cents = 1399`,
      sql`update payments set amount_cents = 1400`,
    ));

  // Clause C.8.14
  it('a payment whose order is not paid', () =>
    finds(
      'payment_without_paid_order',
      sql`update orders set state = 'unpaid', hold_until = now()`,
      sql`update orders set state = 'paid', hold_until = null`,
    ));

  // Clause C.8.14
  it('a count of orders that is not theirs', () =>
    finds(
      'order_count_wrong',
      sql`update order_counts set n = n + 1 where shard = 0`,
      sql`update order_counts set n = n - 1 where shard = 0`,
    ));

  // Clause C.8.13
  it('a payment that is an order’s and due back', () =>
    finds('payment_also_due_back', sql`update payments set reason = 'a test'`, sql`update payments set reason = null`));

  // Clause C.8.14
  it('money that is due back, until it is noted as returned', async () => {
    await desk.rows(sql`insert into payments (intent_id, outcome, amount_cents, currency, reason)
      values ('pi_12345678', 'refund due', 1400, 'usd', 'deleted order')`);
    const { code, said } = await doctor();
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^refund_due: pi_12345678: 1400 \(usd\).* Code 12345678\./),
    ]);
    expect((await doctor('--returned', 'pi_nobody')).code).toBe(1);
    expect((await doctor('--returned', 'pi_12345678')).code).toBe(0);
    expect((await doctor()).code).toBe(0);
  });
});
