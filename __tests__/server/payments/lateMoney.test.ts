import { sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../../../server/db/locks';
import { recordMissedPayments } from '../../../server/payments/reconcile';
import { CARDS } from '../../support/cards';
import { startCrashingServer } from '../../support/server';
import { collectLog } from '../../support/shop';
import { expectEventually } from '../../support/wait';
import { endFaults, failRefunds, openRefundTestKit, type RefundTestKit } from './refundTestKit';

const log = collectLog();
let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit({ logger: log.logger });
});
afterEach(() => endFaults(kit));
afterAll(() => kit.close());

/** Charges the card and deletes the order before the shop learns of the charge. */
async function chargeTooLate(options: Parameters<RefundTestKit['createChargedOrder']>[0] = {}) {
  const chargedOrder = await kit.createChargedOrder(options);
  await kit.endHold(chargedOrder.id, sql`state = 'deleted', deleted_at = now()`);
  expect((await kit.patchOrder(chargedOrder.customer, chargedOrder.id, chargedOrder.intentId)).body.code).toBe(
    'payment_returned',
  );
  return chargedOrder;
}

const isReturned = async (intentId: string) =>
  (
    await kit.queryRows(sql`select returned_at is not null as returned from payments where intent_id = ${intentId}`)
  )[0]?.['returned'];

async function expectReturnedOnce({ id, intentId, tool }: Awaited<ReturnType<typeof chargeTooLate>>) {
  expect((await kit.listRefunds(intentId)).map(({ amount, status }) => [amount, status])).toEqual([
    [1400, 'succeeded'],
  ]);
  expect([await isReturned(intentId), await kit.countMails('payment returned', id)]).toEqual([true, 1]);
  expect([await kit.stateOf(id), await kit.readAvailable(tool.id)]).toEqual(['deleted', 100]);
  expect(await kit.readFindings()).toEqual([]);
}

describe('A payment for an order that can no longer be paid', () => {
  it('is refunded by the next sweep, and not again by later sweeps', async () => {
    const latePayment = await chargeTooLate();
    expect(await kit.readFindings()).toEqual([['refund_due', latePayment.intentId]]);
    const { intentId, id: orderId } = latePayment;
    expect(log.linesOf('payment must be refunded')).toMatchObject([{ level: 50, intentId, orderId }]);
    await kit.sweep();
    await expectReturnedOnce(latePayment);
    for (let n = 0; n < 3; n++) await kit.sweep();
    await expectReturnedOnce(latePayment);
  });

  it('is refunded within two sweeps if neither the browser nor a webhook reported it', async () => {
    const chargedOrder = await kit.createChargedOrder();
    await kit.queryRows(sql`delete from payment_attempts where order_id = ${chargedOrder.id}`);
    await kit.endHold(chargedOrder.id, sql`state = 'deleted', deleted_at = now()`);
    await kit.sweep();
    await kit.sweep();
    await expectReturnedOnce(chargedOrder);
  });

  it('is refunded when another payment has paid the order, which can still be shipped', async () => {
    const paidOrder = await kit.createPaidOrder();
    const second = await kit.createChargedOrder();
    await kit.queryRows(sql`
      update embedded_stripe.intents set metadata = jsonb_set(metadata, '{order_id}', to_jsonb(${paidOrder.id}::text))
      where id = ${second.intentId}`);
    await kit.queryRows(sql`delete from payment_attempts where intent_id = ${second.intentId}`);
    await recordMissedPayments(kit.deps);
    await kit.sweep();
    expect([await isReturned(second.intentId), (await kit.listRefunds(paidOrder.intentId)).length]).toEqual([true, 0]);
    const order = await kit.readOrder(paidOrder.id);
    expect([order.status, order.refundRequested, order.transactionId]).toEqual(['paid', undefined, paidOrder.intentId]);
    expect((await kit.ship(paidOrder.id)).status).toBe(201);
    expect(await kit.readFindings()).toEqual([]);
  });

  it('is refunded only once, even if the response to the refund request was lost', async () => {
    const latePayment = await chargeTooLate();
    failRefunds(kit, { drop: true });
    for (let n = 0; n < 3; n++) await kit.sweep();
    await endFaults(kit);
    await kit.sweep();
    await expectReturnedOnce(latePayment);
  });

  it('is refunded once, even if an operator also refunds it at the provider', async () => {
    const latePayment = await chargeTooLate();
    kit.runBefore('send refund', () => kit.stripe.refunds.create({ payment_intent: latePayment.intentId }));
    await kit.sweep();
    await expectReturnedOnce(latePayment);
  });

  it('is not refunded while it is disputed', async () => {
    const latePayment = await chargeTooLate({ card: CARDS.disputedLost });
    await kit.sendEvent(latePayment.intentId, 'charge.dispute.created');
    await kit.sweep();
    expect([await kit.listRefunds(latePayment.intentId), await isReturned(latePayment.intentId)]).toEqual([[], false]);
    expect(await kit.readFindings()).toEqual([['dispute_open', latePayment.intentId]]);
    await kit.waitForDispute(latePayment.intentId, 'lost');
    await kit.sendEvent(latePayment.intentId, 'charge.dispute.closed');
    await kit.sweep();
    expect([await kit.listRefunds(latePayment.intentId), await kit.readFindings()]).toEqual([[], []]);
  });

  it('is refunded once a dispute is won that began just before its refund', async () => {
    const { intentId } = await chargeTooLate({ card: CARDS.disputedWon });
    kit.runBefore('send refund', () => kit.sendEvent(intentId, 'charge.dispute.created'));
    await kit.sweep();
    expect(await kit.readRefund(intentId)).toMatchObject({ state: 'failed', error: 'charge_disputed' });
    await kit.waitForDispute(intentId, 'won');
    await kit.sendEvent(intentId, 'charge.dispute.closed');
    await kit.sweep();
    await kit.sweep();
    expect([await isReturned(intentId), (await kit.listRefunds(intentId)).length]).toEqual([true, 1]);
  });

  it('is reported by the doctor if its refund fails, until the operator records that the money was returned', async () => {
    const { intentId, id } = await chargeTooLate({ card: CARDS.refundFails });
    await kit.sweep();
    expect([await isReturned(intentId), await kit.readFindings()]).toEqual([true, []]);
    await kit.waitForRefund(intentId, 'failed');
    await kit.sendEvent(intentId, 'refund.failed');
    expect([await isReturned(intentId), await kit.readFindings()]).toEqual([false, [['refund_failed', intentId]]]);
    expect(await kit.stateOf(id)).toBe('deleted');
    await kit.queryRows(sql`update payments set returned_at = now() where intent_id = ${intentId}`);
    await kit.sweep();
    expect([(await kit.listRefunds(intentId)).length, await kit.readFindings()]).toEqual([1, []]);

    // Someone refunds it at the provider as well.
    await kit.stripe.refunds.create({ payment_intent: intentId });
    await kit.sendEvent(intentId, 'refund.created');
    expect(await kit.readFindings()).toEqual([['returned_and_refunded', intentId]]);
    await kit.waitForRefund(intentId, 'failed');
    await kit.sendEvent(intentId, 'refund.failed');
    expect([await isReturned(intentId), await kit.readFindings()]).toEqual([true, []]);
  });

  it('is left to the operator while REFUND_LATE is off', async () => {
    const latePayment = await chargeTooLate();
    const { settings } = kit.deps;
    const { refundLate } = settings;
    settings.refundLate = false;
    await kit.sweep();
    settings.refundLate = refundLate;
    expect([await kit.listRefunds(latePayment.intentId), await isReturned(latePayment.intentId)]).toEqual([[], false]);
    await kit.sweep();
    await expectReturnedOnce(latePayment);
  });
});

describe('A payment that succeeds after the hold of its order has ended', () => {
  it('pays the order if its stock is still available', async () => {
    const { customer, id, intentId, tool } = await kit.createChargedOrder();
    await kit.endHold(id);
    expect(await kit.readAvailable(tool.id)).toBe(100);
    expect((await kit.patchOrder(customer, id, intentId)).body).toMatchObject({ paid: true, transactionId: intentId });
    expect([await kit.stateOf(id), await kit.readAvailable(tool.id), await kit.readFindings()]).toEqual([
      'paid',
      98,
      [],
    ]);
  });

  it('is refunded if its stock has been sold', async () => {
    const { customer, id, intentId, tool } = await kit.createChargedOrder();
    await kit.endHold(id);
    await kit.queryRows(sql`update tools set available_quantity = 1, stocked_quantity = 1 where id = ${tool.id}`);
    expect((await kit.patchOrder(customer, id, intentId)).body.code).toBe('payment_returned');
    await kit.sweep();
    expect((await kit.listRefunds(intentId)).length).toBe(1);
    expect([await kit.stateOf(id), await kit.readAvailable(tool.id), await kit.readFindings()]).toEqual([
      'unpaid',
      1,
      [],
    ]);
  });
});

/** The server of `startCrashingServer` runs sweeps only if it has mail settings. Nothing listens at this address. */
const WITH_SWEEPS = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@shop.example' };

/** PostgreSQL releases the advisory lock of a killed server once it notices the closed connection. */
const isSweepLockFree = async () =>
  (
    await kit.queryRows(sql`
      select from pg_locks
      where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = ${ADVISORY_LOCKS.sweep}::bigint`)
  ).length === 0;

it.each(['send refund', 'record refund'])(
  'a late payment is refunded once even if the server is killed before the step "%s"',
  async (step) => {
    const latePayment = await chargeTooLate();
    const crashingServer = await startCrashingServer(kit.database!.connection, step, WITH_SWEEPS);
    expect((await crashingServer.exited)[1]).toBe('SIGKILL');
    await expectEventually(isSweepLockFree, true);
    await kit.sweep();
    await expectReturnedOnce(latePayment);
  },
);
