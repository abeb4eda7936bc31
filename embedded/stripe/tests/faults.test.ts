import type Stripe from 'stripe';
import type { Fault, SandboxFaults } from '../index';
import { stripeErrorOf, newIntent, startSandbox } from '../../../__tests__/support/sandbox';
import { waitUntil } from '../../../__tests__/support/wait';

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

test('a call that waits too long for an intent which another call has locked gets lock_timeout', async () => {
  const sandboxServer = await startSandbox();
  const { id } = await newIntent(sandboxServer.stripe);
  const client = await sandboxServer.db.$client.connect();
  await client.query('begin');
  await client.query('select from embedded_stripe.intents where id = $1 for update', [id]);
  expect(await stripeErrorOf(sandboxServer.stripe.paymentIntents.cancel(id))).toMatchObject({
    statusCode: 429,
    code: 'lock_timeout',
  });
  await client.query('rollback');
  client.release();
  expect((await sandboxServer.stripe.paymentIntents.cancel(id)).status).toBe('canceled');
  await sandboxServer.close();
});
