import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/jobs/sweep';
import { startCrashingServer } from '../../support/server';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let testKit: PaymentTestKit;
let clockOffsetMs = 0;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true, now: () => new Date(Date.now() + clockOffsetMs) });
});
afterAll(() => testKit.close());

type UnpaidOrder = Awaited<ReturnType<PaymentTestKit['createUnpaidOrder']>>;

/** Sends a request to a server that is killed before it responds. */
async function sendToCrashingServer(
  step: string,
  { customer }: UnpaidOrder,
  method: string,
  path: string,
  body: object,
) {
  const crashingServer = await startCrashingServer(testKit.database!.connection, step);
  try {
    const headers = { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' };
    const request = fetch(crashingServer.origin + path, { method, headers, body: JSON.stringify(body) });
    await expect(request).rejects.toThrow();
    expect((await crashingServer.exited)[1]).toBe('SIGKILL');
  } finally {
    crashingServer.kill();
  }
}

const expectPaidOnce = async ({ order, tool }: UnpaidOrder) => {
  expect(await testKit.stateOf(order._id)).toBe('paid');
  expect([await testKit.countIntents(order._id), await testKit.countCharges(order._id)]).toEqual([1, 1]);
  expect(await testKit.countRowsOf('payments', order._id)).toBe(1);
  expect(await testKit.readAvailable(tool.id)).toBe(98);
  expect(await testKit.runAudit()).toEqual([]);
};

afterEach(() => {
  clockOffsetMs = 0;
});

// Clause C.8.6
it.each(['create intent', 'save intent'])(
  'an order is paid with one intent, one charge and one stock change, although a server was killed right before the step “%s”',
  async (step) => {
    const unpaidOrder = await testKit.createUnpaidOrder();
    const { customer, order, total } = unpaidOrder;
    await sendToCrashingServer(step, unpaidOrder, 'POST', `/create-payment-intent?order=${order._id}`, {
      totalPrice: total,
    });
    clockOffsetMs = 31_000;
    const { status, body } = await testKit.createIntent(customer, order._id, total);
    expect(status).toBe(200);
    const { intentId } = await testKit.confirm(body.clientSecret);
    expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
    await expectPaidOnce(unpaidOrder);
  },
);

it('a payment whose server is killed before it can settle it is recorded exactly once, by the sweep', async () => {
  const unpaidOrder = await testKit.createChargedOrder();
  const { order, intentId } = unpaidOrder;
  await sendToCrashingServer('settle', unpaidOrder, 'PATCH', `/order/${order._id}`, {
    order: order._id,
    transactionId: intentId,
  });
  expect(await testKit.stateOf(order._id)).toBe('unpaid');
  await sweepOnce(testKit.deps);
  await expectPaidOnce(unpaidOrder);
});

it('a recorded payment is not lost if the server is killed right after its response', async () => {
  const unpaidOrder = await testKit.createChargedOrder();
  const { order, intentId, customer } = unpaidOrder;
  const crashingServer = await startCrashingServer(testKit.database!.connection, 'never');
  const headers = { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ order: order._id, transactionId: intentId });
  const { status } = await fetch(`${crashingServer.origin}/order/${order._id}`, { method: 'PATCH', headers, body });
  crashingServer.kill();
  await crashingServer.exited;
  expect(status).toBe(200);
  expect(await testKit.queryRows(sql`select intent_id from payments where order_id = ${order._id}`)).toEqual([
    { intent_id: intentId },
  ]);
  await expectPaidOnce(unpaidOrder);
});
