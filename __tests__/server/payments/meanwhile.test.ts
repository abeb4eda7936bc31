import { sql, type SQL } from 'drizzle-orm';
import { waitUntilBlocked } from '../../support/database';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let desk: PaymentTestKit;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true });
});
afterAll(() => desk.close());

const sound = async () => expect(await desk.findings()).toEqual([]);
const returned = (intentId: string) =>
  desk.rows(sql`update payments set returned_at = now() where intent_id = ${intentId}`);

/** The call comes while another server is in the middle of this, and waits for it. */
async function during<T>(changes: SQL[], call: () => Promise<T>): Promise<T> {
  let calling: Promise<T> | undefined;
  await desk.deps.db.transaction(async (tx) => {
    for (const change of changes) await tx.execute(change);
    calling = call();
    await waitUntilBlocked(desk.deps);
  });
  return calling!;
}

const touch = (order: string) => sql`update orders set deleting_until = null where id = ${order}`;
const bury = (order: string, tool: string) => [
  sql`update orders set state = 'deleted', deleted_at = now(), holds_stock = false, hold_until = null
    where id = ${order}`,
  sql`update tools set available_quantity = available_quantity + 2 where id = ${tool}`,
  sql`update order_counts set n = n - 1 where shard = 0`,
];

describe('A payment that begins', () => {
  it('while its order is deleted finds that it is not there any more', async () => {
    const { who, order, total, tool } = await desk.unpaid();
    const { status } = await during(bury(order._id, tool.id), () => desk.ask(who, order._id, total));
    expect([status, await desk.intents(order._id)]).toEqual([404, 0]);
    await sound();
  });

  it('while its order is claimed by a delete waits for how that ends', async () => {
    const { who, order, total } = await desk.unpaid();
    const claim = sql`update orders set deleting_until = now() + interval '1 minute' where id = ${order._id}`;
    const intentsThen = desk.looksAgain().then(async () => {
      const { length } = await desk.rows(sql`select from payment_attempts where order_id = ${order._id}`);
      await desk.rows(touch(order._id));
      return length;
    });
    const { status } = await during([claim], () => desk.ask(who, order._id, total));
    expect([status, await intentsThen, await desk.intents(order._id)]).toEqual([200, 0, 1]);
    await sound();
  });

  it('while another begins is the same one', async () => {
    const { who, order, total } = await desk.unpaid();
    const begin = sql`insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
      values (${order._id}, 1, 'of another server', 1400, 'usd', now() - interval '1 second')`;
    const { status } = await during([touch(order._id), begin], () => desk.ask(who, order._id, total));
    expect([status, await desk.count('payment_attempts', order._id), await desk.intents(order._id)]).toEqual([
      200, 1, 1,
    ]);
    await sound();
  });
});

describe('Money that comes', () => {
  it('while its order is deleted is due back', async () => {
    const { who, order, tool, intentId } = await desk.charged();
    const { status, body } = await during(bury(order._id, tool.id), () => desk.patch(who, order._id, intentId));
    expect([status, body.code, await desk.countPaid(order._id)]).toEqual([409, 'payment_returned', 0]);
    await returned(intentId);
    await sound();
  });

  it('while it is written down as due back pays nothing', async () => {
    const { who, order, intentId } = await desk.charged();
    const due = sql`insert into payments (intent_id, order_id, outcome, amount_cents, currency, reason)
      values (${intentId}, ${order._id}, 'refund due', 1400, 'usd', 'out of stock')`;
    const { status, body } = await during([touch(order._id), due], () => desk.patch(who, order._id, intentId));
    expect([status, body.code, await desk.countPaid(order._id)]).toEqual([409, 'payment_returned', 0]);
    await returned(intentId);
  });
});
