import Stripe from 'stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { failureOf, newIntent, pay, startSandbox } from '../../../__tests__/support/sandbox';
import { expectEventually, waitUntil } from '../../../__tests__/support/wait';

const HOUR = 3_600_000;

/** A shop whose webhook answers what the test says. */
function listener() {
  const heard: { event: Stripe.Event; rawBody: string; signature: string }[] = [];
  const state = { status: 200 };
  const deliver = async (rawBody: string, signature: string) => {
    heard.push({ event: JSON.parse(rawBody) as Stripe.Event, rawBody, signature });
    return state.status;
  };
  return { heard, state, deliver, types: () => heard.map(({ event }) => event.type).sort() };
}

const silent = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// Clause C.10.9
test('what happens to an intent is told, signed, to who can check it', async () => {
  const ear = listener();
  const shop = await startSandbox({ deliver: ear.deliver });
  shop.sandbox.start();
  const { id } = await newIntent(shop.stripe);
  await failureOf(pay(shop.stripe, id, CARDS.declined));
  await pay(shop.stripe, id, CARDS.asks);
  await pay(shop.stripe, id, CARDS.pays);
  await shop.stripe.paymentIntents.cancel((await newIntent(shop.stripe)).id);
  await waitUntil(() => ear.heard.length >= 7);
  expect(ear.types()).toEqual([
    'charge.succeeded',
    'payment_intent.canceled',
    'payment_intent.created',
    'payment_intent.created',
    'payment_intent.payment_failed',
    'payment_intent.requires_action',
    'payment_intent.succeeded',
  ]);
  const { rawBody, signature } = ear.heard[0]!;
  const { webhookSecret } = shop.sandbox.keys;
  const check = (body: string, secret = webhookSecret) => shop.stripe.webhooks.constructEvent(body, signature, secret);
  expect(check(rawBody)).toEqual(JSON.parse(rawBody));
  expect(() => check(`${rawBody} `)).toThrow(Stripe.errors.StripeSignatureVerificationError);
  expect(() => check(rawBody, 'whsec_other')).toThrow(Stripe.errors.StripeSignatureVerificationError);
  await shop.close();
});

// Clause C.10.9
test('what was refused is sent again after a pause, also by a server that starts later, and then no more', async () => {
  const ear = listener();
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  ear.state.status = 500;
  const first = await startSandbox({ deliver: ear.deliver, now });
  first.sandbox.start();
  await newIntent(first.stripe);
  await waitUntil(() => ear.heard.length === 1);
  await first.stop();

  ear.state.status = 200;
  const second = await startSandbox({ deliver: ear.deliver, now, connection: first.connection });
  second.sandbox.start();
  await silent(300);
  expect(ear.heard).toHaveLength(1);
  clock.ms += HOUR;
  await waitUntil(() => ear.heard.length === 2);
  expect(ear.heard[1]?.event).toEqual(ear.heard[0]?.event);
  expect(ear.heard[1]?.signature).not.toBe(ear.heard[0]?.signature);
  clock.ms += HOUR;
  await silent(1500);
  expect(ear.heard).toHaveLength(2);
  await second.close();
});

test('a server that dies while it delivers leaves the event for another one', async () => {
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  let delivers = false;
  const deliver = () => new Promise<number>(() => (delivers = true));
  const dying = await startSandbox({ now, deliver });
  dying.sandbox.start();
  const { id } = await newIntent(dying.stripe);
  await waitUntil(() => delivers);

  const ear = listener();
  clock.ms += HOUR;
  const other = await startSandbox({ now, deliver: ear.deliver, connection: dying.connection });
  other.sandbox.start();
  await waitUntil(() => ear.heard.length === 1);
  expect(ear.heard[0]?.event.data.object).toMatchObject({ id });
  await other.close();
  await dying.app.close();
  await dying.db.$client.end();
});

test('two copies of the server deliver each event once', async () => {
  const ear = listener();
  const one = await startSandbox({ deliver: ear.deliver });
  const two = await startSandbox({ deliver: ear.deliver, connection: one.connection });
  await Promise.all(Array.from({ length: 30 }, (_, at) => newIntent(at % 2 === 0 ? one.stripe : two.stripe)));
  one.sandbox.start();
  two.sandbox.start();
  await waitUntil(() => ear.heard.length >= 30);
  await silent(300);
  expect(ear.heard).toHaveLength(30);
  expect(new Set(ear.heard.map(({ event }) => event.id)).size).toBe(30);
  await two.close();
  await one.close();
});

test('what nobody needs any more is dropped: keys after a day, unused cards, old events', async () => {
  const clock = { ms: Date.now() };
  const shop = await startSandbox({ now: () => new Date(clock.ms) });
  await newIntent(shop.stripe, 2400, 'old');
  await pay(shop.stripe, (await newIntent(shop.stripe)).id, CARDS.pays);
  await failureOf(pay(shop.stripe, (await newIntent(shop.stripe)).id, CARDS.declined));
  clock.ms += 31 * 24 * HOUR;
  shop.sandbox.start();
  const counts = async () => {
    const { rows } = await shop.db.$client.query<{ n: number }>(`
      select count(*)::int as n from sandbox_idempotency union all select count(*)::int from sandbox_payment_methods
      union all select count(*)::int from sandbox_events union all select count(*)::int from sandbox_intents`);
    return rows.map(({ n }) => n);
  };
  await expectEventually(counts, [0, 1, 0, 3]);
  await shop.close();
});
