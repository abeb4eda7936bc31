import Stripe from 'stripe';
import type { SandboxFaults } from '../index';
import { CARDS } from '../../../__tests__/support/cards';
import { stripeErrorOf, newIntent, pay, startSandbox } from './sandbox';
import { waitUntil } from '../../../__tests__/support/wait';

const HOUR_MS = 3_600_000;

const UNREACHABLE = -1;

/** Stands in for the shop's webhook. A test can set its status or make it unreachable. */
function createWebhook() {
  const received: { event: Stripe.Event; rawBody: string; signature: string }[] = [];
  const state = { status: 200 };
  const deliver = async (rawBody: string, signature: string) => {
    received.push({ event: JSON.parse(rawBody) as Stripe.Event, rawBody, signature });
    if (state.status === UNREACHABLE) throw new Error('connection refused');
    return state.status;
  };
  return { received, state, deliver, types: () => received.map(({ event }) => event.type).sort() };
}

const cancelNewIntent = async (stripe: Stripe) => stripe.paymentIntents.cancel((await newIntent(stripe)).id);

/** Counts the times that a sandbox looked for due events. */
function createLookCounter() {
  const state = { looks: 0 };
  const faults: SandboxFaults = {
    onDelivery(due) {
      state.looks += 1;
      return due;
    },
  };
  /** Waits until a look that began after this call has ended, because the next one has begun. */
  const waitForLooks = async () => {
    const { looks } = state;
    await waitUntil(() => state.looks > looks + 1);
  };
  return { faults, waitForLooks };
}

// Clause C.10.9
test('a failed, a successful and a canceled payment are delivered as signed events', async () => {
  const webhook = createWebhook();
  const sandboxServer = await startSandbox({ deliver: webhook.deliver });
  sandboxServer.sandbox.start();
  const { id } = await newIntent(sandboxServer.stripe);
  await stripeErrorOf(pay(sandboxServer.stripe, id, CARDS.declined));
  await pay(sandboxServer.stripe, id, CARDS.authenticationRequired);
  await pay(sandboxServer.stripe, id, CARDS.pays);
  await cancelNewIntent(sandboxServer.stripe);
  await waitUntil(() => webhook.received.length >= 3);
  expect(webhook.types()).toEqual([
    'payment_intent.canceled',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
  ]);
  const { rawBody, signature } = webhook.received[0]!;
  const { webhookSecret } = sandboxServer.sandbox.keys;
  const check = (body: string, secret = webhookSecret) =>
    sandboxServer.stripe.webhooks.constructEvent(body, signature, secret);
  expect(check(rawBody)).toEqual(JSON.parse(rawBody));
  expect(() => check(`${rawBody} `)).toThrow(Stripe.errors.StripeSignatureVerificationError);
  expect(() => check(rawBody, 'whsec_other')).toThrow(Stripe.errors.StripeSignatureVerificationError);
  await sandboxServer.close();
});

// Clause C.10.9
test.each([
  ['a rejected event', 500],
  ['an event whose webhook cannot be reached', UNREACHABLE],
])('%s is sent again after a pause, even by another server, until it is accepted', async (_event, failure) => {
  const webhook = createWebhook();
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  webhook.state.status = failure;
  const first = await startSandbox({ deliver: webhook.deliver, now });
  first.sandbox.start();
  await cancelNewIntent(first.stripe);
  await waitUntil(() => webhook.received.length === 1);
  await first.stop();

  webhook.state.status = 200;
  const { faults, waitForLooks } = createLookCounter();
  const second = await startSandbox({ deliver: webhook.deliver, now, faults, connection: first.connection });
  second.sandbox.start();
  await waitForLooks();
  expect(webhook.received).toHaveLength(1);
  clock.ms += HOUR_MS;
  await waitUntil(() => webhook.received.length === 2);
  expect(webhook.received[1]?.event).toEqual(webhook.received[0]?.event);
  expect(webhook.received[1]?.signature).not.toBe(webhook.received[0]?.signature);
  clock.ms += HOUR_MS;
  await waitForLooks();
  expect(webhook.received).toHaveLength(2);
  await second.close();
});

test('if a server dies while it delivers an event, another server delivers that event', async () => {
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  let isDelivering = false;
  const deliver = () => new Promise<number>(() => (isDelivering = true));
  const dying = await startSandbox({ now, deliver });
  dying.sandbox.start();
  const { id } = await cancelNewIntent(dying.stripe);
  await waitUntil(() => isDelivering);

  const webhook = createWebhook();
  clock.ms += HOUR_MS;
  const other = await startSandbox({ now, deliver: webhook.deliver, connection: dying.connection });
  other.sandbox.start();
  await waitUntil(() => webhook.received.length === 1);
  expect(webhook.received[0]?.event.data.object).toMatchObject({ id });
  await other.close();
  await dying.app.close();
  await dying.db.$client.end();
});
