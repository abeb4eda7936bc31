import type Stripe from 'stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { newIntent, pay, startSandbox, stripeErrorOf } from '../../../__tests__/support/sandbox';
import { waitUntil } from '../../../__tests__/support/wait';

const DAY_MS = 24 * 3_600_000;
const clock = { ms: Date.now() };
let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandboxServer = await startSandbox({ now: () => new Date(clock.ms) });
  sandboxServer.sandbox.start();
});
afterAll(() => sandboxServer.close());

async function payDisputed(card: string) {
  const { id } = await newIntent(sandboxServer.stripe);
  const { status, latest_charge } = await pay(sandboxServer.stripe, id, card);
  return { id, status, charge: latest_charge as string };
}

async function eventsOf(intentId: string): Promise<Stripe.Event[]> {
  const { rows } = await sandboxServer.db.$client.query<{ body: Stripe.Event }>(
    `select body from embedded_stripe.events
     where body #>> '{data,object,object}' = 'dispute' and body #>> '{data,object,payment_intent}' = $1
     order by created_at, type`,
    [intentId],
  );
  return rows.map(({ body }) => body);
}
const typesOf = async (intentId: string) =>
  (await eventsOf(intentId)).map(({ type }) => type.replace('charge.dispute.', '')).join(', ');
const waitUntilClosed = (intentId: string) => waitUntil(async () => /closed/.test(await typesOf(intentId)));

test.each([
  [CARDS.disputed, 8 * DAY_MS, 'lost', 'closed'],
  [CARDS.disputedWon, 30_000, 'won', 'closed, funds_reinstated'],
  [CARDS.disputedLost, 30_000, 'lost', 'closed'],
])(
  'card %s pays, and its charge is disputed until %d ms later, when the dispute is %s',
  async (card, ms, end, types) => {
    const { id, status, charge } = await payDisputed(card);
    expect(status).toBe('succeeded');
    expect(await typesOf(id)).toBe('created, funds_withdrawn');
    const { object } = (await eventsOf(id))[0]!.data;
    expect(object).toMatchObject({ amount: 2400, charge, reason: 'fraudulent', status: 'needs_response' });
    const [listed] = (await sandboxServer.stripe.charges.list({ payment_intent: id })).data;
    expect(listed).toMatchObject({ disputed: true, refunded: false });
    clock.ms += ms;
    await waitUntilClosed(id);
    expect(await typesOf(id)).toBe(`created, funds_withdrawn, ${types}`);
    expect((await eventsOf(id)).at(-1)!.data.object).toMatchObject({ status: end });
  },
);

test('a disputed charge cannot be refunded until the dispute is won', async () => {
  const { id, charge } = await payDisputed(CARDS.disputedWon);
  const refund = () => sandboxServer.stripe.refunds.create({ payment_intent: id });
  const message = `Charge ${charge} has been charged back; cannot issue a refund.`;
  expect(await stripeErrorOf(refund())).toMatchObject({ statusCode: 400, code: 'charge_disputed', message });
  clock.ms += 30_000;
  await waitUntilClosed(id);
  expect(await refund()).toMatchObject({ status: 'succeeded', amount: 2400 });
});
