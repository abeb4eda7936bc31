import { CARDS } from '../../../__tests__/support/cards';
import { createPaymentMethod, stripeErrorOf, newIntent, startSandbox } from '../../../__tests__/support/sandbox';

let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (sandboxServer = await startSandbox()));
afterAll(() => sandboxServer.close());

const countRows = async (source: string) =>
  Number((await sandboxServer.db.$client.query<{ n: string }>(`select count(*) as n from ${source}`)).rows[0]?.n);
const runConcurrently = <T>(n: number, work: (index: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: n }, (_, index) => work(index)));
const countFulfilled = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;
const countCharges = (id: string) =>
  countRows(
    `embedded_stripe.events where type = 'charge.succeeded' and body #>> '{data,object,payment_intent}' = '${id}'`,
  );

/** The SDK's types declare `headers` as a record. With the SDK's fetch client, it is a Headers object. */
const replayedHeader = ({ lastResponse }: Awaited<ReturnType<typeof newIntent>>) =>
  new Headers(lastResponse.headers).get('idempotent-replayed');

test('repeating an idempotency key with the same parameters returns the first response', async () => {
  const first = await newIntent(sandboxServer.stripe, 2400, 'same');
  const again = await newIntent(sandboxServer.stripe, 2400, 'same');
  expect({ ...again, lastResponse: null }).toEqual({ ...first, lastResponse: null });
  expect(replayedHeader(first)).toBeNull();
  expect(replayedHeader(again)).toBe('true');
});

test('repeating an idempotency key with different parameters is rejected', async () => {
  await newIntent(sandboxServer.stripe, 2400, 'other');
  const failure = await stripeErrorOf(newIntent(sandboxServer.stripe, 2500, 'other'));
  expect(failure).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
});

// Clause C.10.9
test('a repeated idempotency key gets the same intent, even from another server', async () => {
  const first = await newIntent(sandboxServer.stripe, 2400, 'shared');
  const otherServer = await startSandbox({ connection: sandboxServer.connection });
  expect((await newIntent(otherServer.stripe, 2400, 'shared')).id).toBe(first.id);
  await otherServer.close();
});

test('twenty simultaneous requests with the same idempotency key create a single intent', async () => {
  const countBefore = await countRows('embedded_stripe.intents');
  const results = await runConcurrently(20, () => newIntent(sandboxServer.stripe, 2400, 'twenty'));
  const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
  const codes = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
  );
  expect(new Set(ids).size).toBe(1);
  expect(new Set([...codes, 'idempotency_key_in_use'])).toEqual(new Set(['idempotency_key_in_use']));
  expect(await countRows('embedded_stripe.intents')).toBe(countBefore + 1);
});

test('twenty simultaneous confirmations of an intent charge the card once', async () => {
  const { id } = await newIntent(sandboxServer.stripe);
  const cards = await Promise.all(
    Array.from({ length: 20 }, () => createPaymentMethod(sandboxServer.stripe, CARDS.pays)),
  );
  const results = await runConcurrently(20, (index) =>
    sandboxServer.stripe.paymentIntents.confirm(id, { payment_method: cards[index] ?? '' }),
  );
  expect(countFulfilled(results)).toBe(1);
  expect(await countCharges(id)).toBe(1);
  expect(await sandboxServer.stripe.paymentIntents.retrieve(id)).toMatchObject({
    status: 'succeeded',
    amount_received: 2400,
  });
});

test('if an intent is paid and canceled at the same time, exactly one of the two succeeds', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await newIntent(sandboxServer.stripe);
    const payment_method = await createPaymentMethod(sandboxServer.stripe, CARDS.pays);
    const confirm = () => sandboxServer.stripe.paymentIntents.confirm(id, { payment_method });
    const cancel = () => sandboxServer.stripe.paymentIntents.cancel(id);
    const results = await runConcurrently(2, (index) => ((index + round) % 2 === 0 ? confirm() : cancel()));
    const { status, amount_received } = await sandboxServer.stripe.paymentIntents.retrieve(id);
    expect(countFulfilled(results)).toBe(1);
    expect([status, amount_received, await countCharges(id)]).toEqual(
      status === 'succeeded' ? [status, 2400, 1] : ['canceled', 0, 0],
    );
  }
});
