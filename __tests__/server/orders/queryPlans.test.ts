import { sql } from 'drizzle-orm';
import type { Customer } from '../../support/customers';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { explainStatements, recordStatements } from '../../support/statements';
import { releaseHolds } from '../../../server/holds/endHolds';

/** With fewer orders, PostgreSQL may prefer to read the whole table. */
const ORDERS_OF_OTHERS = 5_000;
let testKit: PaymentTestKit;
let ann: Customer;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
  const [others, { id: toolId }] = [await testKit.createCustomer(), await testKit.createTool()];
  ann = await testKit.createCustomer();
  await testKit.queryRows(sql`
    with held as (
      insert into orders (owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, state,
        holds_stock, hold_until)
      select ${others.id}, ${others.email}, 'Bob', ${toolId}, 'Hammer', 7, 1, 'a', 'p', 'unpaid',
        true, now() + interval '2 hours' from generate_series(1, ${ORDERS_OF_OTHERS}::int) returning id
    ), tried as (
      insert into payment_attempts (order_id, n, idempotency_key, intent_id, amount_cents, currency, state, lease_until)
      select id, 1, id, id, 700, 'usd', 'canceled', now() from held returning order_id
    ), paid as (
      insert into payments (intent_id, order_id, outcome, reason, amount_cents, currency)
      select order_id, order_id, 'refund due', 'unpaid order', 700, 'usd' from tried returning intent_id, order_id
    )
    insert into refunds (intent_id, order_id, amount_cents, currency, reason, state)
    select intent_id, order_id, 700, 'usd', 'unpaid order', 'failed' from paid`);
  await testKit.queryRows(sql`analyze`);
});
afterAll(() => testKit.close());

async function planOf(work: () => Promise<unknown>): Promise<string> {
  const pool = testKit.deps.db.$client;
  return explainStatements(pool, await recordStatements(pool, work));
}

const READS_WHOLE_TABLE = /Seq Scan on (orders|payments|payment_attempts|refunds)\b/;
/** More than half of the stock, so that what others hold of the tool is counted. */
const placeLargeOrder = () => testKit.createUnpaidOrder({ customer: ann, quantity: 60 });

it('no statement reads all orders to place an order, however much of the stock it takes', async () => {
  const plan = await planOf(placeLargeOrder);
  expect(plan).toContain('orders_held');
  expect(plan).not.toMatch(READS_WHOLE_TABLE);
});

it.each([
  ['deleted', (id: string) => testKit.call(ann, 'DELETE', `/order/${id}`)],
  ['released by the operator', (_: string, toolId: string) => releaseHolds(testKit.deps, toolId)],
])('no statement reads all orders when a held order is %s, also one with an open payment', async (_name, end) => {
  for (const hasPayment of [false, true]) {
    const { order, tool, total } = await placeLargeOrder();
    if (hasPayment) expect((await testKit.createIntent(ann, order._id, total)).status).toBe(200);
    const plan = await planOf(() => end(order._id, tool.id));
    expect(plan).toContain('orders_pkey');
    expect(plan).not.toMatch(READS_WHOLE_TABLE);
    expect(await testKit.readAvailable(tool.id)).toBe(100);
  }
});
