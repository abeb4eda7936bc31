import { sql } from 'drizzle-orm';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const MINUTE_MS = 60_000;
let testKit: PaymentTestKit;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
});
afterEach(async () => {
  expect(await testKit.runAudit()).toEqual([]);
});
afterAll(() => testKit.close());

type UnpaidOrder = Awaited<ReturnType<PaymentTestKit['createUnpaidOrder']>>;

async function startPayment({ customer, order, total }: UnpaidOrder): Promise<string> {
  const { status, body } = await testKit.createIntent(customer, order._id, total);
  expect(status).toBe(200);
  return body.clientSecret.split('_secret_')[0]!;
}

/** Starts and cancels a first attempt, because only later attempts start in a transaction. */
async function cancelFirstAttempt(unpaidOrder: UnpaidOrder): Promise<void> {
  await testKit.provider.cancelIntent(await startPayment(unpaidOrder));
}

const readHoldEnd = async ({ order }: UnpaidOrder) =>
  new Date(
    (await testKit.queryRows(sql`select hold_until as at from orders where id = ${order._id}`))[0]!['at']!,
  ).getTime();

describe.each([
  ['the first attempt', async () => {}],
  ['another attempt', cancelFirstAttempt],
])('When %s to pay starts,', (_attempt, prepare) => {
  it('a hold that lasts for two more hours is not shortened', async () => {
    const unpaidOrder = await testKit.createUnpaidOrder();
    await prepare(unpaidOrder);
    const before = await readHoldEnd(unpaidOrder);
    expect(before - Date.now()).toBeGreaterThan(110 * MINUTE_MS);
    await startPayment(unpaidOrder);
    expect(await readHoldEnd(unpaidOrder)).toBe(before);
  });

  it('a hold that is about to end is extended so that it lasts for another half hour', async () => {
    const unpaidOrder = await testKit.createUnpaidOrder();
    await prepare(unpaidOrder);
    await testKit.queryRows(
      sql`update orders set hold_until = now() + interval '1 minute' where id = ${unpaidOrder.order._id}`,
    );
    await startPayment(unpaidOrder);
    const remainingMs = (await readHoldEnd(unpaidOrder)) - Date.now();
    expect(remainingMs).toBeGreaterThan(20 * MINUTE_MS);
    expect(remainingMs).toBeLessThanOrEqual(30 * MINUTE_MS);
  });
});
