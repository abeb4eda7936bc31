import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { checkOpenRefunds, recordMissedRefunds } from '../../../server/payments/checkRefunds';
import { CARDS } from '../../support/cards';
import { newDispute } from './reversals';
import { waitUntilBlocked } from '../../support/database';
import { startCrashingServer } from '../../support/server';
import { collectLog, startShop } from '../../support/shop';
import { endFaults, failRefunds, openRefundTestKit, REFUND, type RefundTestKit } from './refundTestKit';

const { logger, linesOf } = collectLog();
let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit({ logger });
});
afterEach(() => endFaults(kit));
afterAll(() => kit.close());

const RESTOCK = { reason: 'broken', restock: true };

async function expectRefundedOnce({ id, intentId, tool }: Awaited<ReturnType<RefundTestKit['createPaidOrder']>>) {
  expect((await kit.readOrder(id)).status).toBe('refunded');
  expect((await kit.listRefunds(intentId)).map(({ amount, status }) => [amount, status])).toEqual([
    [1400, 'succeeded'],
  ]);
  expect([await kit.countMails('refunded', id), await kit.readAvailable(tool.id)]).toEqual([1, 100]);
  expect(await kit.readFindings()).toEqual([]);
}

const countRefundCalls = () =>
  kit.calls.filter(({ method, path }) => method === 'POST' && path === '/v1/refunds').length;

describe('Only one refund is created', () => {
  it('for 100 simultaneous clicks on two servers', async () => {
    const paidOrder = await kit.createPaidOrder();
    const otherServer = await startShop({ connection: kit.database!.connection, faults: { onDelivery: () => [] } });
    const { token } = kit.asAdmin();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const click = async (origin: string) =>
      (
        await fetch(`${origin}/order/${paidOrder.id}/refund`, {
          method: 'POST',
          headers,
          body: JSON.stringify(RESTOCK),
        })
      ).status;
    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, n) => click(n % 2 ? kit.origin : otherServer.origin)),
    );
    await otherServer.close();
    const BUSY = 503;
    expect(new Set(statuses.filter((status) => status !== BUSY))).toEqual(new Set([200]));
    await kit.sweep();
    await expectRefundedOnce(paidOrder);
  });

  it('when the sweep checks open refunds four times simultaneously after an outage', async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, () => kit.createPaidOrder()));
    failRefunds(kit, { drop: true });
    for (const { id } of orders) await kit.requestRefund(id, RESTOCK);
    await endFaults(kit);
    kit.control.offsetMs += 61_000;
    await Promise.all(Array.from({ length: 4 }, () => checkOpenRefunds(kit.deps)));
    for (const order of orders) await expectRefundedOnce(order);
  });

  it('when an operator refunds the payment at the provider at the same moment', async () => {
    const paidOrder = await kit.createPaidOrder();
    kit.runBefore('send refund', () => kit.stripe.refunds.create({ payment_intent: paidOrder.intentId }));
    expect((await kit.requestRefund(paidOrder.id, RESTOCK)).body.status).toBe('refunded');
    await expectRefundedOnce(paidOrder);
  });

  it.each(['charge.refunded', 'refund.created'])(
    'when the event %s arrives before the response to the request',
    async (type) => {
      const paidOrder = await kit.createPaidOrder();
      let statusAfterEvent: string | undefined;
      kit.runBefore('record refund', async () => {
        await kit.sendEvent(paidOrder.intentId, type);
        statusAfterEvent = (await kit.readOrder(paidOrder.id)).status;
      });
      expect([(await kit.requestRefund(paidOrder.id, RESTOCK)).status, statusAfterEvent]).toEqual([200, 'refunded']);
      await expectRefundedOnce(paidOrder);
    },
  );

  it('when the response is lost and the events arrive several times', async () => {
    const paidOrder = await kit.createPaidOrder();
    failRefunds(kit, { drop: true });
    expect((await kit.requestRefund(paidOrder.id, RESTOCK)).body.status).toBe('paid');
    await endFaults(kit);
    const types = ['refund.created', 'charge.refunded', 'refund.created'];
    await Promise.all([...types.map((type) => kit.sendEvent(paidOrder.intentId, type)), kit.sweep()]);
    await expectRefundedOnce(paidOrder);
  });
});

describe('A refund is made exactly once, even if a server is killed', () => {
  it.each(['send refund', 'record refund'])('before the step "%s"', async (step) => {
    const paidOrder = await kit.createPaidOrder();
    const crashingServer = await startCrashingServer(kit.database!.connection, step);
    const headers = { authorization: `Bearer ${kit.asAdmin().token}`, 'content-type': 'application/json' };
    const body = JSON.stringify(RESTOCK);
    await expect(
      fetch(`${crashingServer.origin}/order/${paidOrder.id}/refund`, { method: 'POST', headers, body }),
    ).rejects.toThrow();
    expect((await crashingServer.exited)[1]).toBe('SIGKILL');
    expect((await kit.readOrder(paidOrder.id)).status).toBe('paid');
    await kit.sweep();
    await expectRefundedOnce(paidOrder);
  });
});

describe('A refund and a shipment of one order', () => {
  /** Starts both while the order is locked, so that the first gets the lock before the second. */
  async function runInTurn<A, B>(orderId: string, first: () => Promise<A>, second: () => Promise<B>) {
    const blocker = new Client(kit.database!.connection);
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('select from orders where id = $1 for update', [orderId]);
    const firstResponse = first();
    await waitUntilBlocked(kit.deps, 1);
    const secondResponse = second();
    await waitUntilBlocked(kit.deps, 2);
    await blocker.end();
    return Promise.all([firstResponse, secondResponse]);
  }

  it('do not both happen if the refund comes first', async () => {
    const { id, intentId } = await kit.createPaidOrder();
    const [refund, shipment] = await runInTurn(
      id,
      () => kit.requestRefund(id),
      () => kit.ship(id),
    );
    expect([refund.body.status, shipment.status]).toEqual(['refunded', 409]);
    expect((await kit.readOrder(id)).shippingLog).toEqual([]);
    expect((await kit.listRefunds(intentId)).length).toBe(1);
  });

  it('both happen if the shipment comes first', async () => {
    const { id, intentId } = await kit.createPaidOrder();
    const [shipment, { body }] = await runInTurn(
      id,
      () => kit.ship(id),
      () => kit.requestRefund(id),
    );
    expect([shipment.status, body.status, body.shippingLog?.length]).toEqual([201, 'refunded', 1]);
    expect((await kit.listRefunds(intentId)).length).toBe(1);
  });
});

describe('A refund of a disputed payment', () => {
  const expectNotRefunded = async ({ id, intentId }: { id: string; intentId: string }, dispute: string | null) => {
    expect(await kit.readOrder(id)).toMatchObject({ status: 'paid', refundFailed: true, dispute });
    expect(await kit.readRefund(intentId)).toMatchObject({ state: 'failed', error: 'charge_disputed' });
    expect(await kit.listRefunds(intentId)).toEqual([]);
  };

  it('is not sent to the provider if the dispute is reported just before that', async () => {
    const paidOrder = await kit.createPaidOrder({ card: CARDS.disputed });
    const countBefore = countRefundCalls();
    kit.runBefore('send refund', () => kit.sendEvent(paidOrder.intentId, 'charge.dispute.created'));
    await kit.requestRefund(paidOrder.id);
    expect(countRefundCalls()).toBe(countBefore);
    await expectNotRefunded(paidOrder, 'open');
  });

  it('of an original shop says so', async () => {
    const { id, intentId } = await kit.createPaidOrder();
    kit.runBefore('send refund', () =>
      kit.deps.db.execute(sql`update payments set of_original = true where intent_id = ${intentId}`),
    );
    await kit.requestRefund(id);
    expect(await kit.readRefund(intentId)).toMatchObject({ state: 'failed', error: 'payment_of_original' });
  });

  it('remains successful if an older, slower try to make it ends only after the dispute is reported', async () => {
    const { id, intentId } = await kit.createPaidOrder();
    const object = newDispute(intentId, 'needs_response');
    const event = { id: 'evt_dispute', object: 'event', created: 1_900_000_000, type: 'charge.dispute.created' };
    kit.runBefore('send refund', async () => {
      kit.control.offsetMs += 600_000;
      await kit.sweep();
      expect(await kit.readRefund(intentId)).toMatchObject({ state: 'succeeded', tries: 0 });
      await kit.sendWebhook(JSON.stringify({ ...event, data: { object } }));
    });
    const { body } = await kit.requestRefund(id);
    expect([body.status, body.dispute, body.refundFailed]).toEqual(['refunded', 'open', undefined]);
    expect(await kit.readRefund(intentId)).toMatchObject({ state: 'succeeded', tries: 0, error: null });
    expect(linesOf('refund refused').filter((line) => line.intentId === intentId)).toEqual([]);
  });

  it('fails if the dispute is reported only after the refund was sent to the provider', async () => {
    const paidOrder = await kit.createPaidOrder({ card: CARDS.disputed });
    await kit.requestRefund(paidOrder.id);
    await expectNotRefunded(paidOrder, null);
    await kit.sendEvent(paidOrder.intentId, 'charge.dispute.created');
    await expectNotRefunded(paidOrder, 'open');
  });
});

describe('A refund that fails', () => {
  it("before the provider's response is recorded remains marked as failed", async () => {
    const { id, intentId } = await kit.createPaidOrder({ card: CARDS.refundFails });
    kit.runBefore('record refund', async () => {
      await kit.waitForRefund(intentId, 'failed');
      await kit.sendEvent(intentId, 'refund.failed');
    });
    await kit.requestRefund(id);
    expect(await kit.readOrder(id)).toMatchObject({ status: 'paid', refundFailed: true });
    expect(await kit.readRefund(intentId)).toMatchObject({ state: 'failed', tries: 0 });
  });

  it('is not confused with the next refund, even if its own response arrives last', async () => {
    const { id, intentId } = await kit.createPaidOrder({ card: CARDS.refundFails });
    kit.runBefore('record refund', async () => {
      await kit.waitForRefund(intentId, 'failed');
      await kit.sendEvent(intentId, 'refund.failed');
      await kit.requestRefund(id);
    });
    await kit.requestRefund(id);
    const [second, first] = await kit.listRefunds(intentId);
    expect([first!.status, second!.status]).toEqual(['failed', 'succeeded']);
    expect(await kit.readRefund(intentId)).toMatchObject({ state: 'succeeded', tries: 0, id: second!.id });
  });

  it('without any event is found by the sweep', async () => {
    const { id, intentId } = await kit.createPaidOrder({ card: CARDS.refundFails });
    await kit.requestRefund(id, REFUND);
    await kit.waitForRefund(intentId, 'failed');
    await recordMissedRefunds(kit.deps);
    expect(await kit.readOrder(id)).toMatchObject({ status: 'refunded', refundFailed: true });
    expect(linesOf('refund failed')).toContainEqual(expect.objectContaining({ level: 50, intentId }));
  });
});
