import type Stripe from 'stripe';
import FIELDS from '../../../__tests__/support/data/stripeFields.json';
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
  expect(data[2]!.outcome).toMatchObject({ network_status: 'declined_by_network', type: 'issuer_declined' });
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

/** What a charge has in common with every other charge of 24 dollars. */
function commonFields(charge: Stripe.Charge, last4: string, fingerprint: string, cvc_check: string) {
  const card = {
    amount_authorized: 2400,
    brand: 'visa',
    checks: { cvc_check },
    country: 'US',
    exp_month: 12,
    exp_year: new Date().getFullYear() + 5,
    extended_authorization: { status: 'disabled' },
    fingerprint,
    funding: 'credit',
    incremental_authorization: { status: 'unavailable' },
    last4,
    multicapture: { status: 'unavailable' },
    network: 'visa',
    network_token: { used: false },
    overcapture: { maximum_amount_capturable: 2400, status: 'unavailable' },
    regulated_status: 'unregulated',
  };
  return {
    id: expect.stringMatching(/^ch_\w{24}$/) as string,
    object: 'charge',
    amount: 2400,
    amount_refunded: 0,
    billing_details: { address: {}, name: 'Ann Lee' },
    calculated_statement_descriptor: 'FORGELINE SANDBOX',
    created: Date.parse('2026-06-15T12:00:00Z') / 1000,
    currency: 'usd',
    disputed: false,
    fraud_details: {},
    livemode: false,
    metadata: { order_id: 'o1' },
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    payment_method_details: { card, type: 'card' },
    refunded: false,
    refunds: { object: 'list', data: [], has_more: false, url: `/v1/charges/${charge.id}/refunds` },
  };
}

test('the charge of a payment tells its card, its outcome and that nothing was refunded', async () => {
  const { id } = await newIntent(sandboxServer.stripe);
  const { latest_charge, payment_method } = await pay(sandboxServer.stripe, id, CARDS.pays);
  const charge = (await chargesOf(id)).data[0]!;
  expect(charge).toMatchObject({ id: latest_charge, payment_intent: id, payment_method });
  expect(withoutNulls(charge)).toEqual({
    ...commonFields(charge, '4242', 'iNX85FkS3ZdFzoHD', 'pass'),
    amount_captured: 2400,
    balance_transaction: expect.stringMatching(/^txn_\w{24}$/) as string,
    captured: true,
    outcome: {
      network_status: 'approved_by_network',
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    status: 'succeeded',
  });
  const { rows } = await sandboxServer.db.$client.query<{ body: Stripe.Event }>(
    `select body from embedded_stripe.events where body #>> '{data,object,id}' = $1`,
    [charge.id],
  );
  expect(rows.map(({ body }) => [body.type, body.data.object])).toEqual([['charge.succeeded', charge]]);
});

test.each([
  [CARDS.declined, 'GKcZ4a76f_qWWRjL', 'pass', 'card_declined', 'generic_decline', 'Your card was declined.'],
  [CARDS.wrongCvc, undefined, 'fail', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
])(
  'the charge of the declined card %s tells why it was declined',
  async (number, fingerprint, cvcCheck, failure_code, reason, failure_message) => {
    const { id } = await newIntent(sandboxServer.stripe);
    await stripeErrorOf(pay(sandboxServer.stripe, id, number));
    const charge = (await chargesOf(id)).data[0]!;
    expect(charge).toMatchObject({ payment_intent: id, payment_method: expect.stringMatching(/^pm_/) as string });
    const shownFingerprint = fingerprint ?? (expect.stringMatching(/^[\w-]{16}$/) as string);
    expect(withoutNulls(charge)).toEqual({
      ...commonFields(charge, number.slice(-4), shownFingerprint, cvcCheck),
      amount_captured: 0,
      captured: false,
      failure_code,
      failure_message,
      outcome: {
        network_status: 'declined_by_network',
        reason,
        risk_level: 'normal',
        seller_message: 'The bank did not return any further details with this decline.',
        type: 'issuer_declined',
      },
      paid: false,
      status: 'failed',
    });
  },
);

test.each(Object.entries(FIELDS).filter(([path]) => /^charge\b/.test(path)))(
  'the object %s of a declined card has every field of Stripe’s published example',
  async (path, fields) => {
    const { id } = await payAfterDeclines();
    const charge: unknown = (await chargesOf(id)).data[2];
    const names = path.split('.').slice(1);
    const part = names.reduce((value, name) => (value as Record<string, unknown>)[name], charge);
    expect(fields.filter((field) => !Object.hasOwn(part as object, field))).toEqual([]);
  },
);

test('charges are listed in pages', async () => {
  const { id, ids } = await payAfterDeclines();
  const first = await chargesOf(id, { limit: 2 });
  expect([first.data.map((charge) => charge.id), first.has_more]).toEqual([ids.slice(0, 2), true]);
  const rest = await chargesOf(id, { limit: 2, starting_after: ids[1] });
  expect([rest.data.map((charge) => charge.id), rest.has_more]).toEqual([ids.slice(2), false]);
});

test('an intent has no charges before a card has been tried', async () => {
  const { id } = await newIntent(sandboxServer.stripe);
  expect(await chargesOf(id)).toMatchObject({ object: 'list', url: '/v1/charges', has_more: false, data: [] });
});

test('an unknown intent, charge or parameter is rejected', async () => {
  const { id } = await newIntent(sandboxServer.stripe);
  expect(await stripeErrorOf(chargesOf('pi_nothing'))).toMatchObject({
    code: 'resource_missing',
    message: "No such payment_intent: 'pi_nothing'",
    param: 'payment_intent',
  });
  expect(await stripeErrorOf(chargesOf(id, { starting_after: 'ch_no' }))).toMatchObject({
    code: 'resource_missing',
    message: "No such charge: 'ch_no'",
    param: 'starting_after',
  });
  expect(await stripeErrorOf(chargesOf(id, { limit: 101 }))).toMatchObject({ statusCode: 400, param: 'limit' });
  expect(await stripeErrorOf(chargesOf(id, { nonsense: 'x' }))).toMatchObject({ code: 'parameter_unknown' });
});

test('the publishable key cannot list charges', async () => {
  const { id } = await newIntent(sandboxServer.stripe);
  const { status, body } = await callAsBrowser(sandboxServer.origin, 'GET', '/v1/charges', { payment_intent: id });
  expect([status, body.error?.code]).toEqual([403, 'secret_key_required']);
});
