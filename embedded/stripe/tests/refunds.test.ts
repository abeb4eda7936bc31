import type Stripe from 'stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { callAsBrowser, newIntent, pay, startSandbox, stripeErrorOf } from './sandbox';
import { expectEventually, waitUntil } from '../../../__tests__/support/wait';

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

  test('if the database connection is lost during a refund, nothing is stored', async () => {
    const id = await newPayment();
    const blocker = await sandboxServer.db.$client.connect();
    await blocker.query('begin; lock table embedded_stripe.idempotency in share mode');
    const interruptedRefund = Promise.allSettled([refund(id, `killed-${id}`)]);
    const killWaiting = `
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%embedded_stripe.refunds%'`;
    await waitUntil(async () => (await blocker.query(killWaiting)).rowCount);
    expect((await interruptedRefund)[0]).toMatchObject({ status: 'rejected' });
    await blocker.query('rollback');
    blocker.release();
    expect([await refundsOf(id), await countEvents(id, 'refund.created')]).toEqual([[], 0]);
    expect((await refund(id, `killed-${id}`)).amount).toBe(2400);
    expect(await refundsOf(id)).toHaveLength(1);
  });

  test('each pending refund is completed once, even if one server stops and several others run', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => newPayment(CARDS.refundPending)));
    await Promise.all(ids.map((id) => refund(id)));
    const stoppedServer = await startSandbox({ connection: sandboxServer.connection, now });
    stoppedServer.sandbox.start();
    await stoppedServer.stop();
    clock.ms += 10_000;
    const copies = await Promise.all([1, 2, 3].map(() => startSandbox({ connection: sandboxServer.connection, now })));
    for (const copy of copies) copy.sandbox.start();
    const statuses = async () =>
      (await Promise.all(ids.map(refundsOf))).map(([createdRefund]) => createdRefund?.status);
    await waitUntil(async () => (await statuses()).every((status) => status === 'succeeded'));
    for (const copy of copies) await copy.close();
    const updates = await Promise.all(ids.map((id) => countEvents(id, 'refund.updated')));
    expect(updates).toEqual(ids.map(() => 1));
  });
});

describe('Charges', () => {
  const NOW = new Date('2026-06-15T12:00:00.900Z');
  let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
  beforeAll(async () => void (sandboxServer = await startSandbox({ now: () => NOW })));
  afterAll(() => sandboxServer.close());

  /** Tries two declined cards, then pays with a third one. */
  async function payAfterDeclines() {
    const { id } = await newIntent(sandboxServer.stripe);
    const declined = [CARDS.declined, CARDS.wrongCvc].map(
      (number) => () => stripeErrorOf(pay(sandboxServer.stripe, id, number)),
    );
    const failures = [];
    for (const next of declined) failures.push(await next());
    const { latest_charge } = await pay(sandboxServer.stripe, id, CARDS.pays);
    return { id, ids: [latest_charge, failures[1]!.charge, failures[0]!.charge] };
  }

  const chargesOf = (id: string, params = {}) => sandboxServer.stripe.charges.list({ payment_intent: id, ...params });

  test('the charges of an intent are listed newest first, including declined charges', async () => {
    const { id, ids } = await payAfterDeclines();
    const { data, has_more } = await chargesOf(id);
    expect([data.map((charge) => charge.id), has_more]).toEqual([ids, false]);
    expect(data).toMatchObject([
      { status: 'succeeded', paid: true, captured: true, amount_captured: 2400, failure_code: null },
      { status: 'failed', paid: false, captured: false, failure_code: 'incorrect_cvc', amount_captured: 0 },
      { status: 'failed', failure_code: 'card_declined', failure_message: 'Your card was declined.' },
    ]);
    expect((await sandboxServer.stripe.paymentIntents.retrieve(id)).latest_charge).toBe(ids[0]);
  });

  test('a refund changes the charge that succeeded, and not the declined charges of the same intent', async () => {
    const { id } = await payAfterDeclines();
    await sandboxServer.stripe.refunds.create({ payment_intent: id });
    const { data } = await chargesOf(id);
    expect(data.map(({ refunded, amount_refunded }) => [refunded, amount_refunded])).toEqual([
      [true, 2400],
      [false, 0],
      [false, 0],
    ]);
  });

  test('the publishable key cannot list charges', async () => {
    const { id } = await newIntent(sandboxServer.stripe);
    const { status, body } = await callAsBrowser(sandboxServer.origin, 'GET', '/v1/charges', { payment_intent: id });
    expect([status, body.error?.code]).toEqual([403, 'secret_key_required']);
  });
});

describe('Disputes', () => {
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
});
