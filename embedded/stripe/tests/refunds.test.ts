import type Stripe from 'stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { callAsBrowser, newIntent, pay, startSandbox, stripeErrorOf } from '../../../__tests__/support/sandbox';
import { expectEventually, waitUntil } from '../../../__tests__/support/wait';
import { withoutNulls } from './withoutNulls';

const clock = { ms: Date.now() };
const now = () => new Date(clock.ms);
let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandboxServer = await startSandbox({ now });
  sandboxServer.sandbox.start();
});
afterAll(() => sandboxServer.close());

async function newPayment(card = CARDS.pays) {
  const { id } = await newIntent(sandboxServer.stripe);
  const { latest_charge } = await pay(sandboxServer.stripe, id, card);
  return { id, charge: latest_charge as string };
}

const refund = (payment_intent: string, extraParams: Stripe.RefundCreateParams = {}, idempotencyKey?: string) =>
  sandboxServer.stripe.refunds.create({ payment_intent, ...extraParams }, idempotencyKey ? { idempotencyKey } : {});
const refundsOf = async (id: string) => (await sandboxServer.stripe.refunds.list({ payment_intent: id })).data;
const chargeOf = async (id: string) => (await sandboxServer.stripe.charges.list({ payment_intent: id })).data[0]!;

async function eventsOf(id: string): Promise<Stripe.Event[]> {
  const { rows } = await sandboxServer.db.$client.query<{ body: Stripe.Event }>(
    `select body from embedded_stripe.events
     where body #>> '{data,object,payment_intent}' = $1 and type ~ 'refund' order by created_at, type`,
    [id],
  );
  return rows.map(({ body }) => body);
}
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);

test('a refund without an amount returns the whole payment', async () => {
  const { id, charge } = await newPayment();
  const createdRefund = await refund(id, { metadata: { order_id: 'o1' } });
  expect(createdRefund.id).toMatch(/^re_\w{24}$/);
  expect(withoutNulls(createdRefund)).toEqual({
    id: createdRefund.id,
    object: 'refund',
    amount: 2400,
    charge,
    created: Math.floor(clock.ms / 1000),
    currency: 'usd',
    metadata: { order_id: 'o1' },
    payment_intent: id,
    status: 'succeeded',
  });
  expect(await refundsOf(id)).toEqual([createdRefund]);
  const refunded = await chargeOf(id);
  expect(refunded).toMatchObject({ amount_refunded: 2400, refunded: true, disputed: false, status: 'succeeded' });
  const url = `/v1/charges/${charge}/refunds`;
  expect(refunded.refunds).toEqual({ object: 'list', data: [createdRefund], has_more: false, url });
  expect(await sandboxServer.stripe.paymentIntents.retrieve(id)).toMatchObject({
    status: 'succeeded',
    amount_received: 2400,
  });
});

test('a refund sends the events refund.created and charge.refunded', async () => {
  const { id } = await newPayment();
  const createdRefund = await refund(id);
  const [refundedEvent, createdEvent] = await eventsOf(id);
  expect(createdEvent).toMatchObject({
    type: 'refund.created',
    data: { object: { id: createdRefund.id, status: 'succeeded' } },
  });
  expect(refundedEvent).toMatchObject({
    type: 'charge.refunded',
    data: {
      object: {
        object: 'charge',
        amount_refunded: 2400,
        refunded: true,
        refunds: { data: [{ id: createdRefund.id }] },
      },
    },
  });
  expect(await typesOf(id)).toHaveLength(2);
});

test('a charge can be refunded in parts, up to its amount', async () => {
  const { id } = await newPayment();
  const first = await refund(id, { amount: 1000 });
  expect(await chargeOf(id)).toMatchObject({ amount_refunded: 1000, refunded: false });
  expect(await stripeErrorOf(refund(id, { amount: 1401 }))).toMatchObject({
    statusCode: 400,
    message: 'Refund amount ($14.01) is greater than unrefunded amount on charge ($14.00)',
    param: 'amount',
  });
  const rest = await refund(id);
  expect(rest.amount).toBe(1400);
  expect((await refundsOf(id)).map((createdRefund) => createdRefund.id).sort()).toEqual([rest.id, first.id].sort());
  expect(await chargeOf(id)).toMatchObject({ amount_refunded: 2400, refunded: true });
});

test('a refunded charge and an unpaid intent cannot be refunded', async () => {
  const { id, charge } = await newPayment();
  await refund(id);
  expect(await stripeErrorOf(refund(id))).toMatchObject({
    statusCode: 400,
    code: 'charge_already_refunded',
    message: `Charge ${charge} has already been refunded.`,
  });
  expect((await refundsOf(id)).map(({ amount }) => amount)).toEqual([2400]);
  const unpaid = await newIntent(sandboxServer.stripe);
  const message = `This PaymentIntent (${unpaid.id}) does not have a successful charge to refund.`;
  expect(await stripeErrorOf(refund(unpaid.id))).toMatchObject({ statusCode: 400, message });
  await stripeErrorOf(pay(sandboxServer.stripe, unpaid.id, CARDS.declined));
  expect(await stripeErrorOf(refund(unpaid.id))).toMatchObject({ statusCode: 400, message });
});

test('refunds are listed in pages, newest first', async () => {
  const { id } = await newPayment();
  for (const amount of [100, 200, 300]) {
    clock.ms += 1;
    await refund(id, { amount });
  }
  const first = await sandboxServer.stripe.refunds.list({ payment_intent: id, limit: 2 });
  expect(first).toMatchObject({ object: 'list', url: '/v1/refunds', has_more: true });
  expect(first.data.map(({ amount }) => amount)).toEqual([300, 200]);
  const rest = await sandboxServer.stripe.refunds.list({
    payment_intent: id,
    limit: 2,
    starting_after: first.data[1]!.id,
  });
  expect([rest.data.map(({ amount }) => amount), rest.has_more]).toEqual([[100], false]);
  expect((await sandboxServer.stripe.refunds.list({ limit: 1 })).data[0]?.amount).toBe(300);
  const missing = sandboxServer.stripe.refunds.list({ payment_intent: 'pi_no' });
  expect((await stripeErrorOf(missing)).code).toBe('resource_missing');
});

test('the publishable key can neither create nor list refunds', async () => {
  const { id } = await newPayment();
  const params = { payment_intent: id };
  for (const method of ['GET', 'POST'] as const)
    expect((await callAsBrowser(sandboxServer.origin, method, '/v1/refunds', params)).status).toBe(403);
  expect(await refundsOf(id)).toEqual([]);
});

test('a refund of card 4000 0000 0000 7726 is pending and succeeds later', async () => {
  const { id } = await newPayment(CARDS.refundPending);
  const createdRefund = await refund(id);
  expect(createdRefund.status).toBe('pending');
  clock.ms += 1;
  const newer = await newPayment(CARDS.refundPending);
  await refund(newer.id);
  clock.ms -= 1;
  expect(await chargeOf(id)).toMatchObject({ amount_refunded: 2400, refunded: true });
  expect((await stripeErrorOf(refund(id))).code).toBe('charge_already_refunded');
  clock.ms += 10_000;
  await waitUntil(async () => (await refundsOf(id))[0]?.status === 'succeeded');
  expect((await refundsOf(newer.id))[0]?.status).toBe('pending');
  expect(await typesOf(id)).toEqual(['charge.refunded', 'refund.created', 'charge.refund.updated', 'refund.updated']);
  const updated = (await eventsOf(id)).at(-1);
  expect(updated).toMatchObject({
    data: { object: { id: createdRefund.id, status: 'succeeded' } },
    request: { id: null, idempotency_key: null },
  });
  expect(updated?.data.previous_attributes).toEqual({ status: 'pending' });
});

test('a refund of card 4000 0000 0000 5126 fails later, and the charge can be refunded again', async () => {
  const { id } = await newPayment(CARDS.refundFails);
  const createdRefund = await refund(id);
  expect(createdRefund).toMatchObject({ status: 'succeeded' });
  clock.ms += 10_000;
  await waitUntil(async () => (await refundsOf(id))[0]?.status === 'failed');
  expect(await refundsOf(id)).toMatchObject([{ id: createdRefund.id, failure_reason: 'expired_or_canceled_card' }]);
  expect(await chargeOf(id)).toMatchObject({ amount_refunded: 0, refunded: false });
  await expectEventually(
    async () => (await typesOf(id)).slice(2),
    ['charge.refund.updated', 'refund.failed', 'refund.updated'],
  );
  expect((await refund(id)).id).not.toBe(createdRefund.id);
});
