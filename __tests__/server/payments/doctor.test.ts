import type * as timers from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { expectDoctorFindings, readDoctorFindings, runDoctorOf } from './doctorOutput';

/** Replaces the pause before the doctor reports a payment or a refund. */
let mockPause: () => Promise<unknown> = async () => undefined;
jest.mock('node:timers/promises', () => {
  const real = jest.requireActual<typeof timers>('node:timers/promises');
  const wait = (ms: number, ...rest: unknown[]) =>
    ms === 3_000 && rest.length === 0 ? mockPause() : real.setTimeout(ms, ...rest);
  return { ...real, setTimeout: wait };
});

let testKit: PaymentTestKit;
let paidOrder: Awaited<ReturnType<PaymentTestKit['createChargedOrder']>>;

beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
  paidOrder = await testKit.createChargedOrder();
  await testKit.patchOrder(paidOrder.customer, paidOrder.order._id, paidOrder.intentId);
});
afterAll(() => testKit.close());

const runDoctor = (...argv: string[]) => runDoctorOf(testKit, argv);
const expectFindings = (findings: string[][], breakData: SQL, repairData: SQL) =>
  expectDoctorFindings(testKit, findings, breakData, repairData);
const readFindings = async (...argv: string[]) =>
  (await readDoctorFindings(testKit, argv)).map(([name, subject]) => [name, subject]);

// Clause C.8.14
it('the doctor reports no problem if money and stock are correct', async () => {
  expect(await runDoctor()).toEqual({ code: 0, out: 'Money and stock add up.\n', err: '' });
  expect(await runDoctor('--json')).toEqual({ code: 0, out: '[]\n', err: '' });
});

describe('The doctor reports', () => {
  // Clause C.8.14
  it('stock that does not add up', () =>
    expectFindings(
      [
        [
          'stock_does_not_add_up',
          paidOrder.tool.id,
          '100 pieces were stocked, but 97 are available and 2 are taken by orders.',
        ],
      ],
      sql`update tools set available_quantity = available_quantity - 1 where id = ${paidOrder.tool.id}`,
      sql`update tools set available_quantity = available_quantity + 1 where id = ${paidOrder.tool.id}`,
    ));

  // Clause C.8.14
  it('a paid order without its payment, and an unrecorded payment at the provider', async () => {
    const { intentId, order } = paidOrder;
    await expectFindings(
      [
        ['paid_without_payment', order._id, 'The order is marked as paid, but no payment is recorded for it.'],
        ['succeeded_attempt_without_record', order._id, `The payment ${intentId} succeeded, but it is not recorded.`],
        ['paper_number_not_used_once', 'F-000001', '0 invoices or credit notes have this number, instead of one.'],
        ['succeeded_not_recorded', intentId, 'The provider received 1400 cents (usd), but no payment is recorded.'],
      ],
      sql`delete from payments where intent_id = ${intentId}`,
      sql`insert into payments (intent_id, order_id, outcome, amount_cents, currency, invoice)
        values (${intentId}, ${order._id}, 'paid', 1400, 'usd', 'F-000001')`,
    );
  });

  // Clause C.8.14
  it('a payment with a wrong amount', () =>
    expectFindings(
      [
        [
          'payment_of_other_amount',
          paidOrder.intentId,
          "1399 cents (usd) were paid, but the order's total is 1400 cents.",
        ],
        [
          'recorded_not_succeeded',
          paidOrder.intentId,
          '1399 cents (usd) are recorded, but the provider received 1400 cents (usd) and reports the status succeeded.',
        ],
      ],
      sql`update payments set amount_cents = 1399`,
      sql`update payments set amount_cents = 1400`,
    ));

  // Clause C.8.14
  it('a payment whose order is not paid', () =>
    expectFindings(
      [['payment_without_paid_order', paidOrder.intentId, 'The payment is recorded, but its order is unpaid.']],
      sql`update orders set state = 'unpaid', hold_until = now()`,
      sql`update orders set state = 'paid', hold_until = null`,
    ));

  // Clauses C.8.13, C.8.14
  it('a payment that pays an order and must also be refunded', () =>
    expectFindings(
      [['payment_also_due_back', paidOrder.intentId, 'The payment is recorded as paid and also as due for a refund.']],
      sql`update payments set reason = 'a test'`,
      sql`update payments set reason = null`,
    ));

  // Clause C.8.14
  it('a refund that is due, until the operator marks it as done', async () => {
    await testKit.queryRows(sql`insert into payments (intent_id, outcome, amount_cents, currency, reason, created_at)
      values ('pi_12345678', 'refund due', 1400, 'usd', 'deleted order', '2026-01-01')`);
    expect(await runDoctor()).toEqual({
      code: 1,
      out: 'refund_due: pi_12345678: 1400 cents (usd) must be refunded. Reason: deleted order. Code 12345678.\n',
      err: '',
    });
    expect((await runDoctor('--returned', 'pi_nobody')).code).toBe(1);
    expect((await runDoctor('--returned', 'pi_12345678')).code).toBe(0);
    expect((await runDoctor()).code).toBe(0);
    await testKit.queryRows(sql`delete from payments where intent_id = 'pi_12345678'`);
  });

  it('a recorded payment of the last 48 hours that the provider does not know, or with --all such a payment of any age', async () => {
    await testKit.queryRows(sql`insert into payments (intent_id, outcome, amount_cents, currency, reason, returned_at)
      values ('pi_unknown', 'refund due', 1400, 'usd', 'deleted order', now())`);
    expect(await readDoctorFindings(testKit)).toEqual([
      ['recorded_not_succeeded', 'pi_unknown', '1400 cents (usd) are recorded, but the provider has no such payment.'],
    ]);
    await testKit.queryRows(sql`update payments set created_at = '2026-01-01' where intent_id = 'pi_unknown'`);
    expect([await readFindings(), await readFindings('--all')]).toEqual([
      [],
      [['recorded_not_succeeded', 'pi_unknown']],
    ]);
    await testKit.queryRows(sql`delete from payments where intent_id = 'pi_unknown'`);
    expect(await readFindings('--all')).toEqual([]);
  });

  it('an old payment at the provider that is not recorded, but only with --all', async () => {
    const { intentId } = await testKit.createChargedOrder();
    await testKit.queryRows(sql`delete from payment_attempts where intent_id = ${intentId}`);
    await testKit.queryRows(sql`update embedded_stripe.intents set created_at = '2026-01-01' where id = ${intentId}`);
    expect([await readFindings(), await readFindings('--all')]).toEqual([[], [['succeeded_not_recorded', intentId]]]);
    await testKit.queryRows(sql`delete from embedded_stripe.intents where id = ${intentId}`);
  });
});

it('the doctor does not report a payment that is recorded while the doctor runs', async () => {
  const { customer, order, intentId } = await testKit.createChargedOrder();
  let recorded: { status: number } | undefined;
  mockPause = async () => (recorded = await testKit.patchOrder(customer, order._id, intentId));
  expect([(await runDoctor()).code, recorded?.status]).toEqual([0, 200]);
});
