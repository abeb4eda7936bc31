import Stripe from 'stripe';
import type { Fault } from '../faults';
import { PaymentProviderDown } from '../../../server/payments/provider';
import { stripeProvider } from '../../../server/payments/stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { pay, startSandbox } from '../../../__tests__/support/sandbox';

const faults: Fault[] = [];
let always: Fault | undefined;
let shop: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (shop = await startSandbox({ faults: { onCall: () => faults.shift() ?? always } })));
afterAll(() => shop.close());
afterEach(() => {
  faults.length = 0;
  always = undefined;
});

const port = () => {
  const { secret, webhookSecret } = shop.sandbox.keys;
  return stripeProvider({ secretKey: secret, webhookSecret, fetch: shop.sandbox.fetch });
};
let orders = 0;
const draft = () => {
  const order = `o${(orders += 1)}`;
  return { amountCents: 129_900, currency: 'usd', metadata: { order_id: order }, idempotencyKey: `order:${order}:1` };
};

// Clause C.10.7
test('an intent is made, found, and made once however often it is asked for', async () => {
  const [payments, wanted] = [port(), draft()];
  const made = await payments.createIntent(wanted);
  expect(made).toMatchObject({
    status: 'requires_payment_method',
    amount: 129_900,
    amountReceived: 0,
    metadata: wanted.metadata,
  });
  expect(made.clientSecret).toContain('_secret_');
  expect(await payments.findIntent(made.id)).toEqual(made);
  expect(await payments.createIntent(wanted)).toEqual(made);
});

test.each(['pi_unknown', 'nonsense', '../payment_methods', 'pi_a/b', '', 'pi_%00', 'ch_123'])(
  '%j is found to be nothing',
  async (id) => {
    expect(await port().findIntent(id)).toBeNull();
  },
);

test('cancelling what is not there answers nothing', async () => {
  expect(await port().cancelIntent('pi_unknown')).toBeNull();
});

test('cancelling answers what the intent then is', async () => {
  const payments = port();
  const [open, paid] = [await payments.createIntent(draft()), await payments.createIntent(draft())];
  await pay(shop.stripe, paid.id, CARDS.pays);
  expect(await payments.cancelIntent(open.id)).toMatchObject({ id: open.id, status: 'canceled' });
  expect(await payments.cancelIntent(open.id)).toMatchObject({ id: open.id, status: 'canceled' });
  expect(await payments.cancelIntent(paid.id)).toMatchObject({
    id: paid.id,
    status: 'succeeded',
    amountReceived: 129_900,
  });
});

test('all intents since a moment are listed, over more than one page', async () => {
  const payments = port();
  const since = new Date();
  for (let n = 0; n < 101; n += 1) await payments.createIntent(draft());
  const ids = new Set<string>();
  for await (const intent of payments.listIntents(since)) ids.add(intent.id);
  expect(ids.size).toBeGreaterThanOrEqual(101);
});

test('an event is read only with its signature', () => {
  const secret = shop.sandbox.keys.webhookSecret;
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'payment_intent.succeeded',
    created: 1_790_000_000,
    data: { object: { id: 'pi_1', object: 'payment_intent' } },
  });
  const body = Buffer.from(payload);
  const sign = (options: object) => shop.stripe.webhooks.generateTestHeaderString({ payload, secret, ...options });
  const old = Math.floor(Date.now() / 1000) - 301;
  expect(port().readEvent(body, sign({}))).toEqual({
    id: 'evt_1',
    type: 'payment_intent.succeeded',
    createdAt: new Date(1_790_000_000_000),
    intentId: 'pi_1',
    reversals: [],
  });
  expect(port().readEvent(body, sign({ secret: 'whsec_other' }))).toBeNull();
  expect(port().readEvent(body, sign({ timestamp: old }))).toBeNull();
  expect(port().readEvent(Buffer.from(`${payload} `), sign({}))).toBeNull();
  expect(port().readEvent(body, undefined)).toBeNull();
  expect(stripeProvider({ secretKey: 'sk_test_x' }).readEvent(body, sign({}))).toBeNull();
});

test('a provider that fails, slows us down or is not there is down, and says nothing else', async () => {
  for (const fault of [{ status: 500 }, { status: 429 }, { drop: true }] as Fault[]) {
    always = fault;
    await expect(port().findIntent('pi_any')).rejects.toBeInstanceOf(PaymentProviderDown);
  }
  const nowhere = stripeProvider({
    secretKey: 'sk_test_x',
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  });
  await expect(nowhere.createIntent(draft())).rejects.toBeInstanceOf(PaymentProviderDown);
  always = undefined;
  const refused = stripeProvider({ secretKey: 'sk_test_wrong', fetch: shop.sandbox.fetch });
  await expect(refused.createIntent(draft())).rejects.toBeInstanceOf(PaymentProviderDown);
});

test('a lost answer is asked for again by itself and leaves one intent', async () => {
  const wanted = draft();
  faults.push({ drop: true });
  const made = await port().createIntent(wanted);
  const found: string[] = [];
  for await (const { metadata, id } of port().listIntents(new Date(0)))
    if (metadata['order_id'] === wanted.metadata.order_id) found.push(id);
  expect(found).toEqual([made.id]);
});

test('after several failures it is left alone for a while, and then asked again', async () => {
  let asked = 0;
  let works = false;
  const own: typeof fetch = (input, init) => {
    asked += 1;
    return works ? shop.sandbox.fetch(input, init) : Promise.reject(new TypeError('fetch failed'));
  };
  const payments = stripeProvider({ secretKey: shop.sandbox.keys.secret, fetch: own });
  await Promise.allSettled(Array.from({ length: 5 }, () => payments.findIntent('pi_any')));
  const before = asked;
  await expect(payments.findIntent('pi_any')).rejects.toBeInstanceOf(PaymentProviderDown);
  expect(asked).toBe(before);
  works = true;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000);
  expect(await payments.findIntent('pi_any')).toBeNull();
  clock.mockRestore();
  expect(await payments.findIntent('pi_any')).toBeNull();
});

test('the sandbox speaks the SDK’s own version of the API', async () => {
  const { lastResponse } = await shop.stripe.paymentIntents.list();
  const { rows } = await shop.db.$client.query<{ version: string }>(
    `select distinct body ->> 'api_version' as version from sandbox_events`,
  );
  expect([rows, lastResponse.statusCode]).toEqual([[{ version: Stripe.API_VERSION }], 200]);
});
