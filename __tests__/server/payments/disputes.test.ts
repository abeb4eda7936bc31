import { sql } from 'drizzle-orm';
import { CARDS } from '../../support/cards';
import { newDispute } from '../../support/data/reversals';
import { endFaults, openRefundTestKit, type RefundTestKit } from './refundTestKit';

let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit();
});
afterEach(async () => {
  await kit.queryRows(sql`delete from payment_reversals`);
  await kit.queryRows(sql`update orders set dispute = null`);
});
afterAll(() => kit.close());

const CREATED = 'charge.dispute.created';
const CLOSED = 'charge.dispute.closed';
const disputeOf = async (id: string) => (await kit.readOrder(id)).dispute;

async function createDisputed(card: string) {
  const paidOrder = await kit.createPaidOrder({ card });
  expect(await kit.sendEvent(paidOrder.intentId, CREATED)).toBe(200);
  return paidOrder;
}

/** Sends an event that the sandbox cannot create, with the time of its creation. */
const sendDispute = (type: string, object: object, created = Math.floor(kit.deps.now().getTime() / 1000)) =>
  kit.sendWebhook(JSON.stringify({ id: `evt_${created}${type}`, object: 'event', created, type, data: { object } }));

describe('A dispute', () => {
  it('is reported by the doctor and shown on the order, which remains paid and is shipped only if an admin decides so', async () => {
    const { id, intentId, customer } = await createDisputed(CARDS.disputed);
    expect(await kit.readOrder(id)).toMatchObject({ status: 'paid', paid: true, dispute: 'open' });
    expect((await kit.call(customer, 'GET', `/order/${id}`)).body.dispute).toBe('open');
    expect(await kit.readFindings()).toEqual([['dispute_open', intentId]]);
    expect(await kit.deps.metrics.text()).toContain('forgeline_disputes_reported 1');
    expect((await kit.ship(id)).body.code).toBe('order_disputed');
    expect((await kit.ship(id, true)).body).toMatchObject({ status: 'shipped', dispute: 'open' });
  });

  it('that is won allows its order to be refunded', async () => {
    const { id, intentId } = await createDisputed(CARDS.disputedWon);
    await kit.waitForDispute(intentId, 'won');
    expect(await kit.sendEvent(intentId, CLOSED)).toBe(200);
    expect([await disputeOf(id), await kit.readFindings()]).toEqual(['won', []]);
    expect((await kit.requestRefund(id)).body).toMatchObject({ status: 'refunded', dispute: 'won' });
  });

  it('that is lost prevents refunds of its order and is not reported by the doctor', async () => {
    const { id, intentId } = await createDisputed(CARDS.disputedLost);
    await kit.waitForDispute(intentId, 'lost');
    expect(await kit.sendEvent(intentId, CLOSED)).toBe(200);
    expect([await disputeOf(id), await kit.readFindings()]).toEqual(['lost', []]);
    expect((await kit.requestRefund(id)).body.code).toBe('order_disputed');
    expect(await kit.listRefunds(intentId)).toEqual([]);
  });

  it('that is lost after a refund is reported by the doctor, because the money was returned twice', async () => {
    const { id, intentId } = await kit.createPaidOrder();
    await kit.requestRefund(id);
    await sendDispute(CREATED, newDispute(intentId, 'needs_response', 'dp_after_refund'), 1_900_000_000);
    expect(await kit.readFindings()).toEqual([['dispute_open', intentId]]);
    await sendDispute(CLOSED, newDispute(intentId, 'lost', 'dp_after_refund'), 1_900_000_001);
    expect(await kit.readOrder(id)).toMatchObject({ status: 'refunded', dispute: 'lost' });
    const detail =
      '$14.00 was refunded and then lost in a dispute (dp_after_refund: lost) ' +
      `(order ${id}), so the customer got it twice.`;
    expect(await kit.runAudit()).toEqual([{ name: 'dispute_lost_after_refund', subject: intentId, detail }]);
  });

  it('that is reported before the payment was recorded causes the payment to be recorded first', async () => {
    const { id, intentId } = await kit.createChargedOrder({ card: CARDS.disputed });
    expect(await kit.sendEvent(intentId, CREATED)).toBe(200);
    expect(await kit.readOrder(id)).toMatchObject({ status: 'paid', dispute: 'open' });
  });

  it('is not acknowledged while its payment cannot be read, so that the provider reports it again', async () => {
    const { id, intentId } = await kit.createChargedOrder({ card: CARDS.disputed });
    kit.control.faultFor = () => ({ status: 500 });
    expect(await kit.sendEvent(intentId, CREATED)).toBe(503);
    await endFaults(kit);
    expect(await kit.sendEvent(intentId, CREATED)).toBe(200);
    expect(await disputeOf(id)).toBe('open');
  });

  it.each([
    ['warning_needs_response', 'open'],
    ['under_review', 'open'],
    ['warning_closed', 'won'],
    ['prevented', 'won'],
    ['lost', 'lost'],
  ])('with the status %s is shown as %s', async (status, shown) => {
    const { id, intentId } = await kit.createPaidOrder();
    await sendDispute('charge.dispute.updated', newDispute(intentId, status));
    expect(await disputeOf(id)).toBe(shown);
  });

  it('is shown in its final state, whatever the order in which its events arrive', async () => {
    const { id, intentId } = await kit.createPaidOrder();
    const history = ['needs_response', 'under_review', 'lost'].map(
      (status, n) => [newDispute(intentId, status, 'dp_any_order'), 1_900_000_000 + n] as const,
    );
    for (const [object, created] of [...history].reverse()) {
      await sendDispute('charge.dispute.updated', object, created);
      expect(await disputeOf(id)).toBe('lost');
    }
    await Promise.all(history.map(([object, created]) => sendDispute('charge.dispute.updated', object, created)));
    expect(await disputeOf(id)).toBe('lost');
  });

  it('that is not shown on its order is reported by the doctor', async () => {
    const { id } = await createDisputed(CARDS.disputed);
    await kit.queryRows(sql`update orders set dispute = null where id = ${id}`);
    expect(await kit.runAudit()).toContainEqual({
      name: 'dispute_not_shown',
      subject: id,
      detail: 'The order shows the dispute as none, but the provider reports it as open.',
    });
  });
});
