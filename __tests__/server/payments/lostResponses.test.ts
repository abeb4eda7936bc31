import { sql } from 'drizzle-orm';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const CONFIRM = /\/confirm$/;
let isResponseLost = false;
const faults = {
  onCall: ({ path }: { path: string }) => (isResponseLost && CONFIRM.test(path) ? { drop: true } : undefined),
};

/** Charges the card and loses the response to the browser. */
async function confirmWithLostResponse(testKit: PaymentTestKit) {
  const payment = await testKit.createUnpaidOrder();
  const { body } = await testKit.createIntent(payment.customer, payment.order._id, payment.total);
  isResponseLost = true;
  await expect(testKit.confirm(body.clientSecret)).rejects.toThrow('fetch failed');
  isResponseLost = false;
  expect(await testKit.countCharges(payment.order._id)).toBe(1);
  const [intentId = ''] = body.clientSecret.split('_secret_');
  return { ...payment, intentId, clientSecret: body.clientSecret };
}

async function expectPaidOnce(
  testKit: PaymentTestKit,
  { customer, order, intentId }: Awaited<ReturnType<typeof confirmWithLostResponse>>,
) {
  expect((await testKit.call(customer, 'GET', `/order/${order._id}`)).body).toMatchObject({
    paid: true,
    transactionId: intentId,
  });
  expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
  expect([await testKit.countCharges(order._id), await testKit.countRowsOf('payments', order._id)]).toEqual([1, 1]);
  expect(await testKit.runAudit()).toEqual([]);
}

describe('A charge whose response is lost', () => {
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    testKit = await openPaymentTestKit({ withoutWebhooks: true, faults });
  });
  afterAll(() => testKit.close());

  it('is not repeated when the browser confirms again', async () => {
    const payment = await confirmWithLostResponse(testKit);
    const secondConfirm = await testKit.confirm(payment.clientSecret);
    expect(secondConfirm.error?.code).toBe('payment_intent_unexpected_state');
    expect((await testKit.patchOrder(payment.customer, payment.order._id, payment.intentId)).status).toBe(200);
    await expectPaidOnce(testKit, payment);
  });
});

it('deleting an order whose payment attempt never got an intent does not cancel the intent of another order', async () => {
  const testKit = await openPaymentTestKit({ withoutWebhooks: true });
  try {
    const orderWithoutIntent = await testKit.createUnpaidOrder();
    await testKit.queryRows(sql`
      insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
      values (${orderWithoutIntent.order._id}, 1, 'never used', 1400, 'usd', now() - interval '1 minute')`);
    const otherOrder = await testKit.createUnpaidOrder();
    const { body } = await testKit.createIntent(otherOrder.customer, otherOrder.order._id, otherOrder.total);
    const deleted = await testKit.call(orderWithoutIntent.customer, 'DELETE', `/order/${orderWithoutIntent.order._id}`);
    expect([deleted.status, await testKit.stateOf(orderWithoutIntent.order._id)]).toEqual([204, 'deleted']);
    const [intentId = ''] = body.clientSecret.split('_secret_');
    expect((await testKit.deps.provider.findIntent(intentId))?.status).toBe('requires_payment_method');
  } finally {
    await testKit.close();
  }
});

it('an attempt whose intent was never saved ends without a search through the provider', async () => {
  const testKit = await openPaymentTestKit({ withoutWebhooks: true });
  try {
    const { customer, order } = await testKit.createUnpaidOrder();
    const { body } = await testKit.createIntent(customer, order._id, order.price! * order.totalQuantity);
    await testKit.queryRows(sql`
      update payment_attempts set intent_id = null, lease_until = now() where order_id = ${order._id}`);
    const { provider } = testKit.deps;
    const search = jest.spyOn(provider, 'listIntents');
    expect((await testKit.call(customer, 'DELETE', `/order/${order._id}`)).status).toBe(204);
    expect(search).not.toHaveBeenCalled();
    const [intentId = ''] = body.clientSecret.split('_secret_');
    expect([await testKit.stateOf(order._id), (await provider.findIntent(intentId))?.status]).toEqual([
      'deleted',
      'canceled',
    ]);
  } finally {
    await testKit.close();
  }
});
