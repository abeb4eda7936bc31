import Stripe from 'stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { callAsBrowser, stripeErrorOf, newIntent, pay, startSandbox } from '../../../__tests__/support/sandbox';
import { withoutNulls } from './withoutNulls';

const NOW = new Date('2026-06-15T12:00:00.900Z');
let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (sandboxServer = await startSandbox({ now: () => NOW })));
afterAll(() => sandboxServer.close());

/** Tries two declined cards, then pays with a third one. */
async function payAfterDeclines() {
  const { id } = await newIntent(sandboxServer.stripe);
  const declined = [CARDS.declined, CARDS.wrongCvc].map(
    (number) => () => stripeErrorOf(pay(sandboxServer.stripe, id, number)),
  );
  const failures = [];
  for (const next of declined) failures.push(await next());
  const { latest_charge } = await pay(sandboxServer.stripe, id, CARDS.pays);
  return { id, ids: [latest_charge, failures[1]!.charge, failures[0]!.charge] };
}

const chargesOf = (id: string, params = {}) => sandboxServer.stripe.charges.list({ payment_intent: id, ...params });

test('the charges of an intent are listed newest first, including declined charges', async () => {
  const { id, ids } = await payAfterDeclines();
  const { data, has_more } = await chargesOf(id);
  expect([data.map((charge) => charge.id), has_more]).toEqual([ids, false]);
  expect(data).toMatchObject([
    { status: 'succeeded', paid: true, captured: true, amount_captured: 2400, failure_code: null },
    { status: 'failed', paid: false, captured: false, failure_code: 'incorrect_cvc', amount_captured: 0 },
    { status: 'failed', failure_code: 'card_declined', failure_message: 'Your card was declined.' },
  ]);
  expect((await sandboxServer.stripe.paymentIntents.retrieve(id)).latest_charge).toBe(ids[0]);
});

test('a refund changes the charge that succeeded, and not the declined charges of the same intent', async () => {
  const { id } = await payAfterDeclines();
  await sandboxServer.stripe.refunds.create({ payment_intent: id });
  const { data } = await chargesOf(id);
  expect(data.map(({ refunded, amount_refunded }) => [refunded, amount_refunded])).toEqual([
    [true, 2400],
    [false, 0],
    [false, 0],
  ]);
});

test('the charge of a payment tells that nothing was refunded, and is in the event charge.succeeded', async () => {
  const { id } = await newIntent(sandboxServer.stripe);
  const { latest_charge, payment_method } = await pay(sandboxServer.stripe, id, CARDS.pays);
  const charge = (await chargesOf(id)).data[0]!;
  expect(withoutNulls(charge)).toEqual({
    id: latest_charge,
    object: 'charge',
    amount: 2400,
    amount_captured: 2400,
    amount_refunded: 0,
    captured: true,
    created: Date.parse('2026-06-15T12:00:00Z') / 1000,
    currency: 'usd',
    disputed: false,
    livemode: false,
    metadata: { order_id: 'o1' },
    paid: true,
    payment_intent: id,
    payment_method,
    refunded: false,
    refunds: { object: 'list', data: [], has_more: false, url: `/v1/charges/${charge.id}/refunds` },
    status: 'succeeded',
  });
  const { rows } = await sandboxServer.db.$client.query<{ body: Stripe.Event }>(
    `select body from embedded_stripe.events where type = 'charge.succeeded' and body #>> '{data,object,id}' = $1`,
    [charge.id],
  );
  const { refunds: _, ...stored } = charge;
  expect(rows.map(({ body }) => body)).toEqual([
    {
      id: expect.stringMatching(/^evt_\w{24}$/) as string,
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: charge.created,
      data: { object: stored },
      livemode: false,
      pending_webhooks: 1,
      request: {
        id: expect.stringMatching(/^req_\w{24}$/) as string,
        idempotency_key: expect.stringMatching(/^stripe-node-retry-[\w-]+$/) as string,
      },
      type: 'charge.succeeded',
    },
  ]);
});

test('the publishable key cannot list charges', async () => {
  const { id } = await newIntent(sandboxServer.stripe);
  const { status, body } = await callAsBrowser(sandboxServer.origin, 'GET', '/v1/charges', { payment_intent: id });
  expect([status, body.error?.code]).toEqual([403, 'secret_key_required']);
});
