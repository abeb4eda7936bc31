import Stripe from 'stripe';
import FIELDS from '../../../__tests__/support/data/stripeFields.json';
import { CARDS } from '../../../__tests__/support/cards';
import { createPaymentMethod, newIntent, pay, startSandbox } from '../../../__tests__/support/sandbox';
import { withoutNulls } from './withoutNulls';

let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
let objects: Record<string, unknown>;

beforeAll(async () => {
  sandboxServer = await startSandbox();
  const intent = await newIntent(sandboxServer.stripe);
  await pay(sandboxServer.stripe, intent.id, CARDS.pays);
  const dispute = await disputeBody();
  const { rows } = await sandboxServer.db.$client.query<{ body: { data: { object: object } } }>(
    `select body from embedded_stripe.events where type = 'charge.succeeded'`,
  );
  objects = {
    payment_intent: await sandboxServer.stripe.paymentIntents.retrieve(intent.id),
    payment_method: await methodBody(),
    charge: rows[0]?.body.data.object,
    event: rows[0]?.body,
    refund: await sandboxServer.stripe.refunds.create({ payment_intent: intent.id }),
    dispute,
    balance_transaction: dispute?.balance_transactions[0],
  };
});
afterAll(() => sandboxServer.close());

async function disputeBody() {
  const { id } = await newIntent(sandboxServer.stripe);
  await pay(sandboxServer.stripe, id, CARDS.disputed);
  return (await sandboxServer.stripe.disputes.list({ payment_intent: id })).data[0];
}

async function methodBody(): Promise<unknown> {
  const id = await createPaymentMethod(sandboxServer.stripe, CARDS.pays);
  const { rows } = await sandboxServer.db.$client.query<{ body: unknown }>(
    'select body from embedded_stripe.payment_methods where id = $1',
    [id],
  );
  return rows[0]?.body;
}

const objectAt = (path: string) =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], objects);

// Clause C.10.7
test.each(Object.entries(FIELDS))('the object %s has every field of Stripe’s published example', (path, fields) => {
  expect(fields.filter((field) => !Object.hasOwn(objectAt(path) as object, field))).toEqual([]);
});

test("control: the objects compared with Stripe's examples have the expected types", () => {
  const types = Object.keys(objects);
  expect(types.map((type) => objectAt(`${type}.object`))).toEqual(types);
});

test('a payment method and an event have the values of test mode', () => {
  expect(withoutNulls(objects['payment_method'])).toEqual({
    id: expect.stringMatching(/^pm_\w{24}$/) as string,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: {}, name: 'Ann Lee' },
    card: {
      brand: 'visa',
      checks: { cvc_check: 'unchecked' },
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: new Date().getFullYear() + 5,
      fingerprint: 'iNX85FkS3ZdFzoHD',
      funding: 'credit',
      last4: '4242',
      networks: { available: ['visa'] },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
    },
    created: expect.any(Number) as number,
    livemode: false,
    metadata: {},
    type: 'card',
  });
  expect(withoutNulls({ ...(objects['event'] as object), data: null })).toEqual({
    id: expect.stringMatching(/^evt_\w{24}$/) as string,
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: expect.any(Number) as number,
    livemode: false,
    pending_webhooks: 1,
    request: {
      id: expect.stringMatching(/^req_\w{24}$/) as string,
      idempotency_key: expect.stringMatching(/^stripe-node-retry-[\w-]+$/) as string,
    },
    type: 'charge.succeeded',
  });
});
