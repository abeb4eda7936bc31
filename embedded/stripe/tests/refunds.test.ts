import type Stripe from 'stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { callAsBrowser, newIntent, pay, startSandbox } from './sandbox';

describe('Refunds', () => {
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

  test('a refund without an amount returns the whole payment', async () => {
    const { id, charge } = await newPayment();
    const createdRefund = await refund(id, { metadata: { order_id: 'o1' } });
    expect(createdRefund.id).toMatch(/^re_\w{24}$/);
    expect(createdRefund).toMatchObject({
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

  test('the publishable key can neither create nor list refunds', async () => {
    const { id } = await newPayment();
    const params = { payment_intent: id };
    for (const method of ['GET', 'POST'] as const)
      expect((await callAsBrowser(sandboxServer.origin, method, '/v1/refunds', params)).status).toBe(403);
    expect(await refundsOf(id)).toEqual([]);
  });
});

describe('Races of refunds', () => {
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
  beforeAll(async () => void (sandboxServer = await startSandbox({ now })));
  afterAll(() => sandboxServer.close());

  async function newPayment(card = CARDS.pays) {
    const { id } = await newIntent(sandboxServer.stripe);
    await pay(sandboxServer.stripe, id, card);
    return id;
  }

  const refund = (payment_intent: string, idempotencyKey?: string, amount?: number) =>
    sandboxServer.stripe.refunds.create({ payment_intent, amount }, idempotencyKey ? { idempotencyKey } : {});
  const refundsOf = async (id: string) =>
    (await sandboxServer.stripe.refunds.list({ payment_intent: id, limit: 100 })).data;
  const countEvents = async (id: string, type: string) => {
    const { rows } = await sandboxServer.db.$client.query<{ n: number }>(
      `select count(*)::int as n from embedded_stripe.events where type = $2 and body #>> '{data,object,payment_intent}' = $1`,
      [id, type],
    );
    return rows[0]!.n;
  };
  const codeOf = (result: PromiseSettledResult<unknown>) =>
    result.status === 'fulfilled' ? 'refunded' : (result.reason as { code?: string }).code;

  test('fifty simultaneous requests to refund a charge create one refund of its whole amount', async () => {
    const id = await newPayment();
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => refund(id)));
    const codes = results.map(codeOf);
    expect(codes.filter((code) => code === 'refunded')).toHaveLength(1);
    expect(codes.filter((code) => code === 'charge_already_refunded')).toHaveLength(49);
    expect((await refundsOf(id)).map(({ amount }) => amount)).toEqual([2400]);
    expect(await countEvents(id, 'charge.refunded')).toBe(1);
  });
});
