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
