import type Stripe from 'stripe';
import type { Fault, SandboxFaults } from '../index';
import { stripeErrorOf, newIntent, sdkOf, startSandbox } from '../../../__tests__/support/sandbox';
import { waitUntil } from '../../../__tests__/support/wait';

/** Tests change `script` to set the faults of the next calls and deliveries. */
function createFaults() {
  const script: { next: Fault[]; calls: number; order: NonNullable<SandboxFaults['onDelivery']> } = {
    next: [],
    calls: 0,
    order: (due) => due,
  };
  const faults: SandboxFaults = {
    onCall: () => {
      script.calls += 1;
      return script.next.shift();
    },
    onDelivery: (due) => script.order(due),
  };
  return { script, faults };
}

test('a call that fails with 429 or 500 has no effect, and the SDK’s retry succeeds', async () => {
  const { script, faults } = createFaults();
  const shop = await startSandbox({ faults });
  for (const [status, type] of [
    [429, 'StripeRateLimitError'],
    [500, 'StripeAPIError'],
  ] as const) {
    script.next = [{ status }];
    expect(await stripeErrorOf(newIntent(shop.stripe))).toMatchObject({ type, statusCode: status });
  }
  expect((await shop.stripe.paymentIntents.list()).data).toEqual([]);
  script.next = [{ status: 500 }];
  expect((await newIntent(sdkOf(shop.sandbox, 1))).status).toBe('requires_payment_method');
  await shop.close();
});

test('repeating the idempotency key after a lost response returns the same intent', async () => {
  const { script, faults } = createFaults();
  const shop = await startSandbox({ faults });
  script.next = [{ drop: true }];
  expect(await stripeErrorOf(newIntent(shop.stripe, 2400, 'lost'))).toMatchObject({ type: 'StripeConnectionError' });
  const [made] = (await shop.stripe.paymentIntents.list()).data;
  expect((await newIntent(shop.stripe, 2400, 'lost')).id).toBe(made?.id);
  expect((await shop.stripe.paymentIntents.list()).data).toHaveLength(1);
  await shop.close();
});

test('dropping a response closes the HTTP connection', async () => {
  const { script, faults } = createFaults();
  const shop = await startSandbox({ faults });
  script.next = [{ drop: true }];
  const headers = { authorization: `Bearer ${shop.sandbox.keys.secret}` };
  const body = new URLSearchParams({ amount: '2400', currency: 'usd' });
  await expect(fetch(`${shop.origin}/v1/payment_intents`, { method: 'POST', headers, body })).rejects.toThrow(
    'fetch failed',
  );
  expect((await shop.stripe.paymentIntents.list()).data).toHaveLength(1);
  await shop.close();
});

test('the SDK gives up on a slow response after its timeout', async () => {
  const { script, faults } = createFaults();
  const shop = await startSandbox({ faults });
  script.next = [{ delayMs: 5000 }];
  const began = Date.now();
  const failure = await stripeErrorOf(shop.stripe.paymentIntents.list({}, { timeout: 200 }));
  expect(failure).toMatchObject({ type: 'StripeConnectionError' });
  expect(Date.now() - began).toBeLessThan(4500);
  await shop.close();
});

test('the sandbox can deliver events late, twice and out of order', async () => {
  const { script, faults } = createFaults();
  const received: string[] = [];
  const deliver = async (rawBody: string) => {
    received.push(((JSON.parse(rawBody) as Stripe.Event).data.object as Stripe.PaymentIntent).id);
    return 200;
  };
  const shop = await startSandbox({ faults, deliver });
  script.order = () => [];
  shop.sandbox.start();
  const made = [(await newIntent(shop.stripe)).id, (await newIntent(shop.stripe)).id];
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received).toEqual([]);
  script.order = (due) => [...due, ...due].reverse();
  await waitUntil(() => received.length >= 4);
  expect(received).toEqual([made[1], made[0], made[1], made[0]]);
  await shop.close();
});
