import type Stripe from 'stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { callAsBrowser, createPaymentMethod, stripeErrorOf, newIntent, pay, startSandbox } from './sandbox';
import type { Fault, SandboxFaults } from '../index';
import { waitUntil } from '../../../__tests__/support/wait';

describe('Intents', () => {
  let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
  beforeAll(async () => void (sandboxServer = await startSandbox()));
  afterAll(() => sandboxServer.close());

  const fetchWithAuthorization = (authorization: string | undefined, path = '/v1/payment_intents') =>
    fetch(`${sandboxServer.origin}${path}`, { headers: authorization ? { authorization } : {} });

  test('an intent is returned with its payment method if the caller asks for that', async () => {
    const { id } = await newIntent(sandboxServer.stripe);
    const expand = ['payment_method'];
    expect((await sandboxServer.stripe.paymentIntents.retrieve(id, { expand })).payment_method).toBeNull();
    const paid = await pay(sandboxServer.stripe, id, CARDS.pays);
    const { payment_method: method, ...intent } = await sandboxServer.stripe.paymentIntents.retrieve(id, { expand });
    expect(method).toMatchObject({ object: 'payment_method', id: paid.payment_method, card: { last4: '4242' } });
    expect(await sandboxServer.stripe.paymentIntents.retrieve(id)).toMatchObject({
      ...intent,
      payment_method: paid.payment_method,
    });
    const failure = await stripeErrorOf(sandboxServer.stripe.paymentIntents.retrieve(id, { expand: ['shipping'] }));
    expect([failure.statusCode, failure.message]).toEqual([400, 'This property cannot be expanded (shipping).']);
  });

  test('the API key is accepted with Bearer authorization, and a missing or wrong key gets a 401', async () => {
    const { secret } = sandboxServer.sandbox.keys;
    expect((await fetchWithAuthorization(`Bearer ${secret}`)).status).toBe(200);
    expect((await fetchWithAuthorization(undefined)).status).toBe(401);
    expect((await fetchWithAuthorization('Bearer sk_test_other')).status).toBe(401);
  });

  describe('With the publishable key,', () => {
    test('intents cannot be created, listed or canceled', async () => {
      const intent = await newIntent(sandboxServer.stripe);
      const secret = { client_secret: intent.client_secret ?? '' };
      for (const [method, path] of [
        ['POST', ''],
        ['GET', ''],
        ['POST', `/${intent.id}/cancel`],
      ] as const) {
        const { status, body } = await callAsBrowser(
          sandboxServer.origin,
          method,
          `/v1/payment_intents${path}`,
          secret,
        );
        expect([status, body.error?.code]).toEqual([403, 'secret_key_required']);
      }
    });

    test('the client secret suffices to read and confirm an intent, but not to see its metadata', async () => {
      const intent = await newIntent(sandboxServer.stripe);
      const client_secret = intent.client_secret ?? '';
      const read = await callAsBrowser(sandboxServer.origin, 'GET', `/v1/payment_intents/${intent.id}`, {
        client_secret,
      });
      expect(read.body).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
      expect(read.body).not.toHaveProperty('metadata');
      const payment_method = await createPaymentMethod(sandboxServer.stripe, CARDS.pays);
      const confirm = { client_secret, payment_method };
      const paid = await callAsBrowser(
        sandboxServer.origin,
        'POST',
        `/v1/payment_intents/${intent.id}/confirm`,
        confirm,
      );
      expect(paid).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    });

    test.each([undefined, '', 'wrong', 'of another intent'])('the client secret %j gives no access', async (kind) => {
      const [intent, other] = [await newIntent(sandboxServer.stripe), await newIntent(sandboxServer.stripe)];
      const client_secret = kind === 'of another intent' ? other.client_secret : kind;
      const params = typeof client_secret === 'string' ? { client_secret } : undefined;
      const payment_method = await createPaymentMethod(sandboxServer.stripe, CARDS.pays);
      const path = `/v1/payment_intents/${intent.id}`;
      expect(await callAsBrowser(sandboxServer.origin, 'GET', path, params)).toMatchObject({ status: 404 });
      const confirmed = await callAsBrowser(sandboxServer.origin, 'POST', `${path}/confirm`, {
        ...params,
        payment_method,
      });
      expect(confirmed).toMatchObject({ status: 404 });
      expect((await sandboxServer.stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
    });
  });

  // Clause C.10.9
  test('the sandbox generates its API keys once and reuses them', async () => {
    const otherServer = await startSandbox({ connection: sandboxServer.connection });
    expect(otherServer.sandbox.keys).toEqual(sandboxServer.sandbox.keys);
    expect(otherServer.sandbox.keys).toMatchObject({
      publishable: 'pk_test_forgeline',
      secret: expect.stringMatching(/^sk_test_\w{48}$/) as string,
    });
    await otherServer.close();
  });
});

describe('Idempotency', () => {
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
});

describe('Faults', () => {
  /** Tests change `script` to set the faults of the next calls and deliveries. */
  function createFaults() {
    const script: { next: Fault[]; order: NonNullable<SandboxFaults['onDelivery']> } = {
      next: [],
      order: (due) => due,
    };
    const faults: SandboxFaults = {
      onCall: () => script.next.shift(),
      onDelivery: (due) => script.order(due),
    };
    return { script, faults };
  }

  test('the sandbox can deliver events late, twice and out of order', async () => {
    const { script, faults } = createFaults();
    const received: string[] = [];
    const deliver = async (rawBody: string) => {
      received.push(((JSON.parse(rawBody) as Stripe.Event).data.object as Stripe.PaymentIntent).id);
      return 200;
    };
    const sandboxServer = await startSandbox({ faults, deliver });
    let heldBackCount = 0;
    script.order = (due) => {
      heldBackCount = Math.max(heldBackCount, due.length);
      return [];
    };
    sandboxServer.sandbox.start();
    const intentIds = [(await newIntent(sandboxServer.stripe)).id, (await newIntent(sandboxServer.stripe)).id];
    await waitUntil(() => heldBackCount === 2);
    expect(received).toEqual([]);
    script.order = (due) => [...due, ...due].reverse();
    await waitUntil(() => received.length >= 4);
    expect(received).toEqual([intentIds[1], intentIds[0], intentIds[1], intentIds[0]]);
    await sandboxServer.close();
  });
});
