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

let testKit: PaymentTestKit;
let paid: Awaited<ReturnType<PaymentTestKit['createChargedOrder']>>;

beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
  paid = await testKit.createChargedOrder();
  await testKit.patchOrder(paid.customer, paid.order._id, paid.intentId);
});
afterAll(() => testKit.close());

async function doctor(...argv: string[]) {
  return doctorWith({}, ...argv);
}

async function doctorWith(env: Record<string, string>, ...argv: string[]) {
  let output = '';
  const record = (chunk: unknown) => ((output += String(chunk)), true);
  const out = jest.spyOn(process.stdout, 'write').mockImplementation(record);
  const err = jest.spyOn(process.stderr, 'write').mockImplementation(record);
  try {
    return { code: await main(argv, { DATABASE_URL: testKit.database!.url, ...env }), output };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

/** Breaks the data, expects these findings, repairs the data, and expects no findings. */
async function expectFindings(
  names: string | string[],
  breakData: ReturnType<typeof sql>,
  repairData: ReturnType<typeof sql>,
) {
  await testKit.queryRows(breakData);
  const { code, output } = await doctor('--json');
  await testKit.queryRows(repairData);
  expect((JSON.parse(output) as Finding[]).map(({ name }) => name)).toEqual(expect.arrayContaining([names].flat()));
  expect(code).toBe(1);
  expect((await doctor()).code).toBe(0);
}

// Clause C.8.14
it('The doctor reports that money and stock add up', async () => {
  expect(await doctor()).toEqual({ code: 0, output: 'Money and stock add up.\n' });
  expect(await doctor('--json')).toEqual({ code: 0, output: '[]\n' });
  expect((await doctor('--what')).code).toBe(1);
});

it("The doctor warns about Stripe's test keys on a public origin and about an exposed demo", async () => {
  const { code, output } = await doctorWith({ ...PUBLIC_TEST_SHOP, DEMO_EXPOSED: 'on' }, '--returned', 'pi_nobody');
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^warning: DEMO_EXPOSED=on.*\nwarning: STRIPE_SECRET_KEY is a test key/),
  ]);
});

const countQueries = async (pattern: string) =>
  (await testKit.queryRows(sql`select from pg_stat_activity where query like ${pattern}`)).length;

it('The doctor waits for a slow query', async () => {
  const { db, close } = await connect({ DATABASE_URL: testKit.database!.url });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  try {
    const slow = db.$client.query(`select pg_sleep(0.5), 'here' as answer`);
    while ((await countQueries('select pg_sleep(0.5)%')) === 0);
    jest.advanceTimersByTime(60_000);
    expect((await slow).rows).toMatchObject([{ answer: 'here' }]);
  } finally {
    jest.useRealTimers();
    await close();
  }
});

describe('The doctor reports', () => {
  // Clause C.8.14
  it('missing stock', () =>
    expectFindings(
      'stock_does_not_add_up',
      sql`update tools set available_quantity = available_quantity - 1`,
      sql`update tools set available_quantity = available_quantity + 1`,
    ));

  // Clause C.8.14
  it('a paid order without its payment, and an unrecorded payment at the provider', async () => {
    const { intentId, order } = paid;
    await expectFindings(
      ['paid_without_payment', 'succeeded_not_recorded'],
      sql`delete from payments where intent_id = ${intentId}`,
      sql`insert into payments (intent_id, order_id, outcome, amount_cents, currency)
        values (${intentId}, ${order._id}, 'paid', 1400, 'usd')`,
    );
  });

  // Clause C.8.14
  it('a succeeded attempt without a record', () =>
    expectFindings(
      'succeeded_attempt_without_record',
      sql`update payment_attempts set intent_id = 'pi_other'`,
      sql`update payment_attempts set intent_id = ${paid.intentId}`,
    ));

  // Clause C.8.14
  it('a payment with a wrong amount', () =>
    expectFindings(
      'payment_of_other_amount',
      sql`update payments set amount_cents = 1399`,
      sql`update payments set amount_cents = 1400`,
    ));

  // Clause C.8.14
  it('a payment whose order is not paid', () =>
    expectFindings(
      'payment_without_paid_order',
      sql`update orders set state = 'unpaid', hold_until = now()`,
      sql`update orders set state = 'paid', hold_until = null`,
    ));

  // Clause C.8.14
  it('a wrong count of orders', () =>
    expectFindings(
      'order_count_wrong',
      sql`update order_counts set n = n + 1 where shard = 0`,
      sql`update order_counts set n = n - 1 where shard = 0`,
    ));

  // Clause C.8.13
  it('a payment that pays an order and must also be refunded', () =>
    expectFindings(
      'payment_also_due_back',
      sql`update payments set reason = 'a test'`,
      sql`update payments set reason = null`,
    ));

  // Clause C.8.14
  it('a refund that is due, until it is marked as returned', async () => {
    await testKit.queryRows(sql`insert into payments (intent_id, outcome, amount_cents, currency, reason)
      values ('pi_12345678', 'refund due', 1400, 'usd', 'deleted order')`);
    const { code, output } = await doctor();
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^refund_due: pi_12345678: 1400 \(usd\).* Code 12345678\./),
    ]);
    expect((await doctor('--returned', 'pi_nobody')).code).toBe(1);
    expect((await doctor('--returned', 'pi_12345678')).code).toBe(0);
    expect((await doctor()).code).toBe(0);
  });
});
