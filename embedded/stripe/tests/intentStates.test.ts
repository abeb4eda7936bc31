import { CARDS } from '../../../__tests__/support/cards';
import { createPaymentMethod, newIntent, startSandbox, stripeErrorOf } from '../../../__tests__/support/sandbox';
import { waitUntil } from '../../../__tests__/support/wait';

let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (sandboxServer = await startSandbox()));
afterAll(() => sandboxServer.close());

test.each([
  [{}, 400, 'parameter_missing', 'Missing required param: payment_method.'],
  [{ payment_method: 'pm_no' }, 404, 'resource_missing', "No such PaymentMethod: 'pm_no'"],
])('an intent cannot be confirmed with %j', async (params, statusCode, code, message) => {
  const { id } = await newIntent(sandboxServer.stripe);
  expect(await stripeErrorOf(sandboxServer.stripe.paymentIntents.confirm(id, params))).toMatchObject({
    statusCode,
    code,
    message,
    param: 'payment_method',
  });
});

/** Confirms a new intent, and runs `intervene` on another connection while the confirmation waits for a lock. */
async function confirmDuring(intervene: (methodId: string) => [sql: string, values: unknown[]]) {
  const { id } = await newIntent(sandboxServer.stripe);
  const payment_method = await createPaymentMethod(sandboxServer.stripe, CARDS.pays);
  const blocker = await sandboxServer.db.$client.connect();
  await blocker.query('begin');
  await blocker.query('select from embedded_stripe.intents where id = $1 for update', [id]);
  const confirm = () => sandboxServer.stripe.paymentIntents.confirm(id, { payment_method }, { maxNetworkRetries: 0 });
  const failure = stripeErrorOf(confirm());
  const countWaiting = `
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%update embedded_stripe.intents%'`;
  await waitUntil(async () => (await sandboxServer.db.$client.query(countWaiting)).rowCount);
  await sandboxServer.db.$client.query(...intervene(payment_method));
  await blocker.query('rollback');
  blocker.release();
  return { failure: await failure, payment_method, intent: await sandboxServer.stripe.paymentIntents.retrieve(id) };
}

test('a payment method that is deleted while it pays is reported as unknown', async () => {
  const { failure, payment_method, intent } = await confirmDuring((methodId) => [
    'delete from embedded_stripe.payment_methods where id = $1',
    [methodId],
  ]);
  expect(failure).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: `No such PaymentMethod: '${payment_method}'`,
    param: 'payment_method',
  });
  expect(intent).toMatchObject({ status: 'requires_payment_method', amount_received: 0 });
});
