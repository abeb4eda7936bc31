import { CARDS } from '../../../__tests__/support/cards';
import { cardOf, failureOf, newIntent, startSandbox } from '../../../__tests__/support/sandbox';

let shop: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (shop = await startSandbox()));
afterAll(() => shop.close());

const countOf = async (what: string) =>
  Number((await shop.db.$client.query<{ n: string }>(`select count(*) as n from ${what}`)).rows[0]?.n);
const times = <T>(n: number, work: (at: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: n }, (_, at) => work(at)));
const done = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;
const chargesOf = (id: string) =>
  countOf(`sandbox_events where type = 'charge.succeeded' and body #>> '{data,object,payment_intent}' = '${id}'`);

/** Through its fetch client, the SDK gives the answer's own headers. */
const replayed = ({ lastResponse }: Awaited<ReturnType<typeof newIntent>>) =>
  new Headers(lastResponse.headers).get('idempotent-replayed');

test('the same key and parameters give the first answer again', async () => {
  const first = await newIntent(shop.stripe, 2400, 'same');
  const again = await newIntent(shop.stripe, 2400, 'same');
  expect({ ...again, lastResponse: null }).toEqual({ ...first, lastResponse: null });
  expect(replayed(first)).toBeNull();
  expect(replayed(again)).toBe('true');
});

test('the same key with other parameters is refused', async () => {
  await newIntent(shop.stripe, 2400, 'other');
  const failure = await failureOf(newIntent(shop.stripe, 2500, 'other'));
  expect(failure).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
});

// Clause C.10.9
test('what a key gave is still given after a restart', async () => {
  const first = await newIntent(shop.stripe, 2400, 'restart');
  const again = await startSandbox({ connection: shop.connection });
  expect((await newIntent(again.stripe, 2400, 'restart')).id).toBe(first.id);
  await again.close();
});

test('a declined payment is declined once, however often it is asked for with its key', async () => {
  const { id } = await newIntent(shop.stripe);
  const payment_method = await cardOf(shop.stripe, CARDS.declined);
  const confirm = () =>
    failureOf(shop.stripe.paymentIntents.confirm(id, { payment_method }, { idempotencyKey: 'declined' }));
  const [first, again] = [await confirm(), await confirm()];
  expect([first.code, again.code, again.charge]).toEqual(['card_declined', 'card_declined', first.charge]);
  expect(
    await countOf(
      `sandbox_events where type = 'payment_intent.payment_failed' and body #>> '{data,object,id}' = '${id}'`,
    ),
  ).toBe(1);
});

test('a call that was not valid may be mended under its key', async () => {
  await failureOf(newIntent(shop.stripe, 1, 'mended'));
  expect((await newIntent(shop.stripe, 2400, 'mended')).amount).toBe(2400);
});

test('twenty calls at once with one key make one intent', async () => {
  const before = await countOf('sandbox_intents');
  const results = await times(20, () => newIntent(shop.stripe, 2400, 'twenty'));
  const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
  const codes = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
  );
  expect(new Set(ids).size).toBe(1);
  expect(new Set([...codes, 'idempotency_key_in_use'])).toEqual(new Set(['idempotency_key_in_use']));
  expect(await countOf('sandbox_intents')).toBe(before + 1);
});

test('twenty confirmations at once charge once', async () => {
  const { id } = await newIntent(shop.stripe);
  const cards = await Promise.all(Array.from({ length: 20 }, () => cardOf(shop.stripe, CARDS.pays)));
  const results = await times(20, (at) => shop.stripe.paymentIntents.confirm(id, { payment_method: cards[at] ?? '' }));
  expect(done(results)).toBe(1);
  expect(await chargesOf(id)).toBe(1);
  expect(await shop.stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'succeeded', amount_received: 2400 });
});

test('of a payment and a cancellation at the same time, one wins and the other is told', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await newIntent(shop.stripe);
    const payment_method = await cardOf(shop.stripe, CARDS.pays);
    const confirm = () => shop.stripe.paymentIntents.confirm(id, { payment_method });
    const cancel = () => shop.stripe.paymentIntents.cancel(id);
    const results = await times(2, (at) => ((at + round) % 2 === 0 ? confirm() : cancel()));
    const { status, amount_received } = await shop.stripe.paymentIntents.retrieve(id);
    expect(done(results)).toBe(1);
    expect([status, amount_received, await chargesOf(id)]).toEqual(
      status === 'succeeded' ? [status, 2400, 1] : ['canceled', 0, 0],
    );
  }
});

test('one card at once for two intents pays one of them', async () => {
  for (let round = 0; round < 20; round += 1) {
    const intents = [await newIntent(shop.stripe), await newIntent(shop.stripe)];
    const payment_method = await cardOf(shop.stripe, CARDS.pays);
    const results = await times(2, (at) =>
      shop.stripe.paymentIntents.confirm(intents[at]?.id ?? '', { payment_method }),
    );
    expect(done(results)).toBe(1);
  }
});
