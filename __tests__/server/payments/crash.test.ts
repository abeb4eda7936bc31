import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/payments/sweep';
import { startCrashingServer } from '../../support/server';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let desk: PaymentTestKit;
let ahead = 0;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true, now: () => new Date(Date.now() + ahead) });
});
afterAll(() => desk.close());

type Made = Awaited<ReturnType<PaymentTestKit['unpaid']>>;

/** A request to a server that dies of it. */
async function fatal(step: string, { who }: Made, method: string, path: string, body: object) {
  const mortal = await startCrashingServer(desk.database!.connection, step);
  try {
    const headers = { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' };
    const request = fetch(mortal.origin + path, { method, headers, body: JSON.stringify(body) });
    await expect(request).rejects.toThrow();
    expect((await mortal.died)[1]).toBe('SIGKILL');
  } finally {
    mortal.kill();
  }
}

const once = async ({ order, tool }: Made) => {
  expect(await desk.stateOf(order._id)).toBe('paid');
  expect([await desk.intents(order._id), await desk.charges(order._id)]).toEqual([1, 1]);
  expect(await desk.count('payments', order._id)).toBe(1);
  expect(await desk.available(tool.id)).toBe(98);
  expect(await desk.findings()).toEqual([]);
};

afterEach(() => {
  ahead = 0;
});

// Clause C.8.6
it.each(['create intent', 'keep intent', 'answer intent'])(
  'A server that is killed before it can %s leaves one intent, one charge, one stock move',
  async (step) => {
    const made = await desk.unpaid();
    const { who, order, total } = made;
    await fatal(step, made, 'POST', `/create-payment-intent?order=${order._id}`, { totalPrice: total });
    ahead = 31_000;
    const { status, body } = await desk.ask(who, order._id, total);
    expect(status).toBe(200);
    const { intentId } = await desk.confirm(body.clientSecret);
    expect((await desk.patch(who, order._id, intentId)).status).toBe(200);
    await once(made);
  },
);

it.each(['settle', 'commit settlement'])(
  'A payment whose server is killed before it can %s is found by the sweep, once',
  async (step) => {
    const made = await desk.charged();
    const { order, intentId } = made;
    if (step === 'commit settlement') await desk.giveBack(order._id);
    await fatal(step, made, 'PATCH', `/order/${order._id}`, { order: order._id, transactionId: intentId });
    expect(await desk.stateOf(order._id)).toBe('unpaid');
    await sweepOnce(desk.deps);
    await once(made);
  },
);

it('A payment that was answered before the server was killed is there', async () => {
  const made = await desk.charged();
  const { order, intentId, who } = made;
  const mortal = await startCrashingServer(desk.database!.connection, 'never');
  const headers = { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ order: order._id, transactionId: intentId });
  const { status } = await fetch(`${mortal.origin}/order/${order._id}`, { method: 'PATCH', headers, body });
  mortal.kill();
  await mortal.died;
  expect(status).toBe(200);
  expect(await desk.rows(sql`select intent_id from payments where order_id = ${order._id}`)).toEqual([
    { intent_id: intentId },
  ]);
  await once(made);
});
