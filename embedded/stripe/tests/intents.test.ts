import { CARDS } from '../../../__tests__/support/cards';
import { callAsBrowser, createPaymentMethod, stripeErrorOf, newIntent, pay, startSandbox } from './sandbox';

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
});
