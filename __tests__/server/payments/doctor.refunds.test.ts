import { sql, type SQL } from 'drizzle-orm';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { expectDoctorFindings, readDoctorFindings, runDoctorOf } from './doctorOutput';

let testKit: PaymentTestKit;
let paidOrder: Awaited<ReturnType<PaymentTestKit['createChargedOrder']>>;

beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
  paidOrder = await testKit.createChargedOrder();
  await testKit.patchOrder(paidOrder.customer, paidOrder.order._id, paidOrder.intentId);
});
afterAll(() => testKit.close());

const runDoctor = (...argv: string[]) => runDoctorOf(testKit, argv);
const readFindings = () => readDoctorFindings(testKit);
const expectFindings = (findings: string[][], breakData: SQL, repairData: SQL) =>
  expectDoctorFindings(testKit, findings, breakData, repairData);

describe('The doctor reports', () => {
  const insertRefund = (state: string) => sql`
    insert into refunds (intent_id, order_id, amount_cents, currency, reason, state)
    values (${paidOrder.intentId}, ${paidOrder.order._id}, 1400, 'usd', 'a test', ${state})`;
  /** With the series of their credit notes, because the doctor reports a missing number. */
  const removeRefunds = sql`with removed as (delete from refunds) delete from paper_numbers where series = 'credit'`;

  it('a refund that failed, until the operator marks it as done', async () => {
    const { intentId, order } = paidOrder;
    const detailOf = (reason: string) =>
      `The refund of $14.00 (order ${order._id}) failed: ${reason}. Pay the customer back in another way, ` +
      `then run "npm run doctor -- --returned ${intentId}".`;
    await testKit.queryRows(insertRefund('failed'));
    await testKit.queryRows(sql`update orders set refund_failed = true where id = ${order._id}`);
    expect(await readFindings()).toEqual([['refund_failed', intentId, detailOf('unknown reason')]]);
    await testKit.queryRows(sql`update refunds set error = 'lost_or_stolen_card'`);
    expect(await readFindings()).toEqual([['refund_failed', intentId, detailOf('lost_or_stolen_card')]]);
    expect((await runDoctor('--returned', paidOrder.intentId)).code).toBe(0);
    expect(await readFindings()).toEqual([]);
    expect((await runDoctor('--returned', paidOrder.intentId)).code).toBe(1);
    await expectFindings(
      [
        [
          'returned_and_refunded',
          intentId,
          `$14.00 (order ${order._id}) was paid back in another way, and its refund is pending, so the customer can get it twice.`,
        ],
        ['recorded_not_refunded', intentId, 'Refunds of 1400 cents are recorded, but the provider refunded 0 cents.'],
      ],
      sql`update refunds set state = 'pending', updated_at = now()`,
      sql`update refunds set state = 'failed'`,
    );
    await testKit.queryRows(removeRefunds);
    await testKit.queryRows(sql`update payments set returned_at = null`);
    await testKit.queryRows(sql`update orders set state = 'paid', refunded_at = null`);
  });

  it.each(['needs_response', 'lost'])('no failed refund of a payment whose dispute is %s', async (status) => {
    await testKit.queryRows(insertRefund('failed'));
    await testKit.queryRows(sql`
      insert into payment_reversals (id, intent_id, kind, status, amount_cents, updated_at)
      values ('dp_test', ${paidOrder.intentId}, 'dispute', ${status}, 1400, now())`);
    expect((await readFindings()).map(([name]) => name)).not.toContain('refund_failed');
    await testKit.queryRows(sql`delete from payment_reversals where id = 'dp_test'`);
    await testKit.queryRows(removeRefunds);
  });

  it('a refund that is not finished after ten minutes, which the operator cannot mark as done', async () => {
    await testKit.queryRows(insertRefund('requested'));
    expect(await readFindings()).toEqual([]);
    await testKit.queryRows(sql`update refunds set updated_at = now() - interval '11 minutes'`);
    expect(await readFindings()).toEqual([
      [
        'refund_unfinished',
        paidOrder.intentId,
        `The refund of $14.00 (order ${paidOrder.order._id}) has been requested for more than ten minutes. ` +
          "Look at the payment in the payment provider's dashboard.",
      ],
    ]);
    expect((await runDoctor('--returned', paidOrder.intentId)).code).toBe(1);
    await testKit.queryRows(removeRefunds);
  });

  it('a recorded refund that the provider does not know', async () => {
    for (const state of ['succeeded', 'pending']) {
      const detail = `Refunds of 1400 cents are recorded, but the provider refunded 0 cents.`;
      await expectFindings([['recorded_not_refunded', paidOrder.intentId, detail]], insertRefund(state), removeRefunds);
    }
  });

  it('a refund of more than 48 hours ago that the provider does not know only with --all', async () => {
    await testKit.queryRows(insertRefund('succeeded'));
    await testKit.queryRows(sql`update refunds set updated_at = now() - interval '49 hours'`);
    expect(await readFindings()).toEqual([]);
    expect((await runDoctor('--all')).out).toMatch(/^recorded_not_refunded: /);
    await testKit.queryRows(removeRefunds);
  });

  it('a refunded order without a refund', () =>
    expectFindings(
      [
        [
          'refunded_without_refund',
          paidOrder.order._id,
          'The order is marked as refunded, but no refund of its payment is recorded.',
        ],
      ],
      sql`update orders set state = 'refunded', refunded_at = now() where id = ${paidOrder.order._id}`,
      sql`update orders set state = 'paid', refunded_at = null where id = ${paidOrder.order._id}`,
    ));

  const insertMail = (state: string, age: string) => sql`
    insert into mails (kind, about, order_id, state, created_at)
    values ('shipped', 'a test', ${paidOrder.order._id}, ${state}, now() - ${age}::interval) returning id::text`;
  const removeMail = sql`delete from mails where about = 'a test'`;

  it('an email that failed, with the reason if it is known', async () => {
    for (const error of [null, '550 no such mailbox']) {
      const [mail] = await testKit.queryRows(insertMail('failed', '1 day'));
      await testKit.queryRows(sql`update mails set error = ${error} where about = 'a test'`);
      const detail = `The email "shipped" (order ${paidOrder.order._id}) could not be sent: ${error ?? 'unknown reason'}.`;
      expect(await readFindings()).toEqual([['mail_failed', mail!['id'], detail]]);
      await testKit.queryRows(removeMail);
    }
  });

  it('no problem with an email that has been queued for an hour or that failed long ago', async () => {
    for (const mail of [insertMail('queued', '1 hour'), insertMail('failed', '8 days')]) {
      await testKit.queryRows(mail);
      expect(await readFindings()).toEqual([]);
      await testKit.queryRows(removeMail);
    }
  });
});
