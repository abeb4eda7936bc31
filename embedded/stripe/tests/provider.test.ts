import Stripe from 'stripe';
import type { Fault } from '../faults';
import { PaymentProviderDown } from '../../../server/payments/provider';
import { createStripeProvider } from '../../../server/payments/stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { pay, startSandbox } from './sandbox';

const faults: Fault[] = [];
let permanentFault: Fault | undefined;
let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(
  async () => void (sandboxServer = await startSandbox({ faults: { onCall: () => faults.shift() ?? permanentFault } })),
);
afterAll(() => sandboxServer.close());
afterEach(() => {
  faults.length = 0;
  permanentFault = undefined;
});

const openProvider = () => {
  const { secret, webhookSecret } = sandboxServer.sandbox.keys;
  return createStripeProvider({ secretKey: secret, webhookSecret, fetch: sandboxServer.sandbox.fetch });
};
let orderCount = 0;
const draft = () => {
  const order = `o${(orderCount += 1)}`;
  return { amountCents: 129_900, currency: 'usd', metadata: { order_id: order }, idempotencyKey: `order:${order}:1` };
};

// Clause C.10.7
test('createIntent creates a single intent if it is repeated with the same key, and findIntent returns that intent', async () => {
  const [payments, intentDraft] = [openProvider(), draft()];
  const createdIntent = await payments.createIntent(intentDraft);
  expect(createdIntent).toMatchObject({
    status: 'requires_payment_method',
    amountCents: 129_900,
    receivedCents: 0,
    metadata: intentDraft.metadata,
  });
  expect(createdIntent.clientSecret).toContain('_secret_');
  expect(await payments.findIntent(createdIntent.id)).toEqual(createdIntent);
  expect(await payments.createIntent(intentDraft)).toEqual(createdIntent);
});

test('createIntent accepts only cards, because the payment page has no form for anything else', async () => {
  const bodies: unknown[] = [];
  const { keys, fetch: send } = sandboxServer.sandbox;
  const recordingFetch: typeof fetch = (input, init) => (bodies.push(init?.body), send(input, init));
  await createStripeProvider({ secretKey: keys.secret, fetch: recordingFetch }).createIntent(draft());
  expect(bodies.map((body) => new URLSearchParams(String(body)).get('payment_method_types[0]'))).toEqual(['card']);
});

test('cancelIntent returns the intent even if it cannot be canceled', async () => {
  const payments = openProvider();
  const [open, paid] = [await payments.createIntent(draft()), await payments.createIntent(draft())];
  await pay(sandboxServer.stripe, paid.id, CARDS.pays);
  expect(await payments.cancelIntent(open.id)).toMatchObject({ id: open.id, status: 'canceled' });
  expect(await payments.cancelIntent(open.id)).toMatchObject({ id: open.id, status: 'canceled' });
  expect(await payments.cancelIntent(paid.id)).toMatchObject({
    id: paid.id,
    status: 'succeeded',
    receivedCents: 129_900,
  });
});

test('listIntents returns all intents since a date, even if they span several pages', async () => {
  const payments = openProvider();
  const since = new Date();
  for (let n = 0; n < 101; n += 1) await payments.createIntent(draft());
  const ids = new Set<string>();
  for await (const intent of payments.listIntents(since)) ids.add(intent.id);
  expect(ids.size).toBeGreaterThanOrEqual(101);
});

test('an outage, a rate limit and a rejected key all throw PaymentProviderDown', async () => {
  for (const fault of [{ status: 500 }, { status: 429 }, { drop: true }] as Fault[]) {
    permanentFault = fault;
    await expect(openProvider().findIntent('pi_any')).rejects.toBeInstanceOf(PaymentProviderDown);
  }
  const unreachable = createStripeProvider({
    secretKey: 'sk_test_x',
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  });
  await expect(unreachable.createIntent(draft())).rejects.toBeInstanceOf(PaymentProviderDown);
  permanentFault = undefined;
  const rejected = createStripeProvider({ secretKey: 'sk_test_wrong', fetch: sandboxServer.sandbox.fetch });
  await expect(rejected.createIntent(draft())).rejects.toBeInstanceOf(PaymentProviderDown);
});

test('a lost response is retried without creating a second intent', async () => {
  const intentDraft = draft();
  faults.push({ drop: true });
  const createdIntent = await openProvider().createIntent(intentDraft);
  const found: string[] = [];
  for await (const { metadata, id } of openProvider().listIntents(new Date(0)))
    if (metadata['order_id'] === intentDraft.metadata.order_id) found.push(id);
  expect(found).toEqual([createdIntent.id]);
});

test('the circuit breaker opens after several failures, and closes when the provider works again', async () => {
  let calls = 0;
  let works = false;
  const flakyFetch: typeof fetch = (input, init) => {
    calls += 1;
    return works ? sandboxServer.sandbox.fetch(input, init) : Promise.reject(new TypeError('fetch failed'));
  };
  const payments = createStripeProvider({ secretKey: sandboxServer.sandbox.keys.secret, fetch: flakyFetch });
  await Promise.allSettled(Array.from({ length: 5 }, () => payments.findIntent('pi_any')));
  const before = calls;
  await expect(payments.findIntent('pi_any')).rejects.toBeInstanceOf(PaymentProviderDown);
  expect(calls).toBe(before);
  works = true;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000);
  expect(await payments.findIntent('pi_any')).toBeNull();
  clock.mockRestore();
  expect(await payments.findIntent('pi_any')).toBeNull();
});

test('the sandbox uses the same API version as the SDK', async () => {
  const { lastResponse } = await sandboxServer.stripe.paymentIntents.list();
  const { rows } = await sandboxServer.db.$client.query<{ version: string }>(
    `select distinct body ->> 'api_version' as version from embedded_stripe.events`,
  );
  expect([rows, lastResponse.statusCode]).toEqual([[{ version: Stripe.API_VERSION }], 200]);
});
