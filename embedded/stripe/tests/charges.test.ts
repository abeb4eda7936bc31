import FIELDS from '../../../__tests__/support/data/stripeFields.json';
import { CARDS } from '../../../__tests__/support/cards';
import { callAsBrowser, stripeErrorOf, newIntent, pay, startSandbox } from '../../../__tests__/support/sandbox';

let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (sandboxServer = await startSandbox()));
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
    param: 'payment_intent',
  });
  expect(await stripeErrorOf(chargesOf(id, { starting_after: 'ch_no' }))).toMatchObject({ code: 'resource_missing' });
  expect(await stripeErrorOf(chargesOf(id, { limit: 101 }))).toMatchObject({ statusCode: 400, param: 'limit' });
  expect(await stripeErrorOf(chargesOf(id, { nonsense: 'x' }))).toMatchObject({ code: 'parameter_unknown' });
});

test('the publishable key cannot list charges', async () => {
  const { id } = await newIntent(sandboxServer.stripe);
  const { status, body } = await callAsBrowser(sandboxServer.origin, 'GET', '/v1/charges', { payment_intent: id });
  expect([status, body.error?.code]).toEqual([403, 'secret_key_required']);
});
