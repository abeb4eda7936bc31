import { sql, type SQL } from 'drizzle-orm';
import { waitUntilBlocked } from '../../support/database';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let testKit: PaymentTestKit;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
});
afterAll(() => testKit.close());

const expectNoFindings = async () => expect(await testKit.runAudit()).toEqual([]);
const markRefunded = (intentId: string) =>
  testKit.queryRows(sql`update payments set returned_at = now() where intent_id = ${intentId}`);

/** Sends the call while a transaction makes these changes. Commits the transaction once the call waits for it. */
async function callDuring<T>(changes: SQL[], call: () => Promise<T>): Promise<T> {
  let pendingCall: Promise<T> | undefined;
  await testKit.deps.db.transaction(async (tx) => {
    for (const change of changes) await tx.execute(change);
    pendingCall = call();
    await waitUntilBlocked(testKit.deps);
  });
  return pendingCall!;
}

/** Ends the claim on an order, if there is one. A transaction that runs this also locks the order's row. */
const clearClaim = (order: string) => sql`update orders set deleting_until = null where id = ${order}`;
const deleteStatements = (order: string, tool: string) => [
  sql`update orders set state = 'deleted', deleted_at = now(), holds_stock = false, hold_until = null
    where id = ${order}`,
  sql`update tools set available_quantity = available_quantity + 2 where id = ${tool}`,
];

describe('A payment that is started', () => {
  it('while its order is being deleted gets a 404', async () => {
    const { customer, order, total, tool } = await testKit.createUnpaidOrder();
    const { status } = await callDuring(deleteStatements(order._id, tool.id), () =>
      testKit.createIntent(customer, order._id, total),
    );
    expect([status, await testKit.countIntents(order._id)]).toEqual([404, 0]);
    await expectNoFindings();
  });

  it('while its order is claimed by a deletion waits until the claim ends', async () => {
    const { customer, order, total } = await testKit.createUnpaidOrder();
    const claim = sql`update orders set deleting_until = now() + interval '1 minute' where id = ${order._id}`;
    const attemptsWhileClaimed = testKit.waitForSecondBegin().then(async () => {
      const { length } = await testKit.queryRows(sql`select from payment_attempts where order_id = ${order._id}`);
      await testKit.queryRows(clearClaim(order._id));
      return length;
    });
    const { status } = await callDuring([claim], () => testKit.createIntent(customer, order._id, total));
    expect([status, await attemptsWhileClaimed, await testKit.countIntents(order._id)]).toEqual([200, 0, 1]);
    await expectNoFindings();
  });

  it('while another request starts a payment for the order uses the attempt of that request', async () => {
    const { customer, order, total } = await testKit.createUnpaidOrder();
    const insertAttempt = sql`
      insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
      values (${order._id}, 1, 'of another server', 1400, 'usd', now() - interval '1 second')`;
    const { status } = await callDuring([clearClaim(order._id), insertAttempt], () =>
      testKit.createIntent(customer, order._id, total),
    );
    expect([
      status,
      await testKit.countRowsOf('payment_attempts', order._id),
      await testKit.countIntents(order._id),
    ]).toEqual([200, 1, 1]);
    await expectNoFindings();
  });
});

describe('A payment that arrives', () => {
  it('while its order is being deleted must be refunded', async () => {
    const { customer, order, tool, intentId } = await testKit.createChargedOrder();
    const { status, body } = await callDuring(deleteStatements(order._id, tool.id), () =>
      testKit.patchOrder(customer, order._id, intentId),
    );
    expect([status, body.code, await testKit.countPaidPayments(order._id)]).toEqual([409, 'payment_returned', 0]);
    await markRefunded(intentId);
    await expectNoFindings();
  });

  const insertRefundDue = (orderId: string, intentId: string) =>
    sql`insert into payments (intent_id, order_id, outcome, amount_cents, currency, reason)
      values (${intentId}, ${orderId}, 'refund due', 1400, 'usd', 'out of stock')`;

  it('and must be refunded is reported to a customer who starts to pay again', async () => {
    const { customer, order, total, intentId } = await testKit.createChargedOrder();
    await testKit.queryRows(insertRefundDue(order._id, intentId));
    const { status, body } = await testKit.createIntent(customer, order._id, total);
    expect([status, body]).toMatchObject([409, { code: 'payment_returned', meta: { code: intentId.slice(-8) } }]);
    await markRefunded(intentId);
  });

  it('while another request records it as money to refund does not pay the order', async () => {
    const { customer, order, intentId } = await testKit.createChargedOrder();
    const { status, body } = await callDuring([clearClaim(order._id), insertRefundDue(order._id, intentId)], () =>
      testKit.patchOrder(customer, order._id, intentId),
    );
    expect([status, body.code, await testKit.countPaidPayments(order._id)]).toEqual([409, 'payment_returned', 0]);
    await markRefunded(intentId);
  });
});
