import type Stripe from 'stripe';
import type { Fault, SandboxFaults } from '../index';
import { failureOf, newIntent, sdkOf, startSandbox } from '../../../__tests__/support/sandbox';
import { waitUntil } from '../../../__tests__/support/wait';

/** Faults that a test sets and takes back. */
function scripted() {
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

test('429 and 500 change nothing; the SDK’s own retry comes through', async () => {
  const { script, faults } = scripted();
  const shop = await startSandbox({ faults });
  for (const [status, type] of [
    [429, 'StripeRateLimitError'],
    [500, 'StripeAPIError'],
  ] as const) {
    script.next = [{ status }];
    expect(await failureOf(newIntent(shop.stripe))).toMatchObject({ type, statusCode: status });
  }
  expect((await shop.stripe.paymentIntents.list()).data).toEqual([]);
  script.next = [{ status: 500 }];
  expect((await newIntent(sdkOf(shop.sandbox, 1))).status).toBe('requires_payment_method');
  await shop.close();
});

test('an answer lost after the effect: the same key finds the one intent', async () => {
  const { script, faults } = scripted();
  const shop = await startSandbox({ faults });
  script.next = [{ drop: true }];
  expect(await failureOf(newIntent(shop.stripe, 2400, 'lost'))).toMatchObject({ type: 'StripeConnectionError' });
  const [made] = (await shop.stripe.paymentIntents.list()).data;
  expect((await newIntent(shop.stripe, 2400, 'lost')).id).toBe(made?.id);
  expect((await shop.stripe.paymentIntents.list()).data).toHaveLength(1);
  await shop.close();
});

test('over HTTP a dropped answer is a closed connection', async () => {
  const { script, faults } = scripted();
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

test('a slow answer is given up after the SDK’s own time', async () => {
  const { script, faults } = scripted();
  const shop = await startSandbox({ faults });
  script.next = [{ delayMs: 5000 }];
  const began = Date.now();
  const failure = await failureOf(shop.stripe.paymentIntents.list({}, { timeout: 200 }));
  expect(failure).toMatchObject({ type: 'StripeConnectionError' });
  expect(Date.now() - began).toBeLessThan(4500);
  await shop.close();
});

test('events can come late, twice and in another order', async () => {
  const { script, faults } = scripted();
  const heard: string[] = [];
  const deliver = async (rawBody: string) => {
    heard.push(((JSON.parse(rawBody) as Stripe.Event).data.object as Stripe.PaymentIntent).id);
    return 200;
  };
  const shop = await startSandbox({ faults, deliver });
  script.order = () => [];
  shop.sandbox.start();
  const made = [(await newIntent(shop.stripe)).id, (await newIntent(shop.stripe)).id];
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(heard).toEqual([]);
  script.order = (due) => [...due, ...due].reverse();
  await waitUntil(() => heard.length >= 4);
  expect(heard).toEqual([made[1], made[0], made[1], made[0]]);
  await shop.close();
});
