import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { providerEvents } from '../../../server/db/schema';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { startShop } from '../../support/shop';

let desk: PaymentTestKit;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true });
});
afterEach(async () => {
  expect(await desk.findings()).toEqual([]);
});
afterAll(() => desk.close());

describe('A webhook', () => {
  // Clause C.8.9
  it('that is signed settles, though the browser never came back', async () => {
    const { who, order, intentId } = await desk.charged();
    expect((await desk.webhook(desk.eventOf(intentId))).status).toBe(200);
    expect((await desk.call(who, 'GET', `/order/${order._id}`)).body).toMatchObject({
      paid: true,
      transactionId: intentId,
    });
  });

  it('that is forged is refused before anything is read', async () => {
    const own = await openPaymentTestKit({ silent: true });
    const { order, intentId } = await own.charged();
    // Its listener would ask now and then, of itself.
    await own.deps.catalog.close();
    const raw = own.eventOf(intentId);
    const right = own.sign(raw);
    const asked = [jest.spyOn(own.deps.db.$client, 'query'), jest.spyOn(own.deps.db.$client, 'connect')];
    const forged: [string, string | null][] = [
      [raw, null],
      [raw, ''],
      [raw, 'nonsense'],
      [raw, right.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
      [raw, own.sign(raw, Math.floor(Date.now() / 1000) - 301)],
      [raw.replace('succeeded', 'succeedeD'), right],
      [`${raw} `, right],
      ['', right],
      ['{', null],
    ];
    for (const [body, signature] of forged) {
      const answer = await own.webhook(body, signature);
      expect([signature, answer.status, answer.body.code]).toEqual([signature, 400, 'bad_signature']);
    }
    expect(asked.map(({ mock }) => mock.calls)).toEqual([[], []]);
    jest.restoreAllMocks();
    expect(await own.stateOf(order._id)).toBe('unpaid');
    expect((await own.webhook(raw)).status).toBe(200);
    await own.close();
  });

  it('is taken up to 256 KiB, and not beyond', async () => {
    const { intentId } = await desk.charged();
    const padded = (bytes: number) => desk.eventOf(intentId).replace('{', `{"pad":"${'x'.repeat(bytes)}",`);
    expect((await desk.webhook(padded(200 * 1024))).status).toBe(200);
    expect((await desk.webhook(padded(256 * 1024))).status).toBe(413);
  });

  it('that comes twice, or before, or of another kind, changes nothing more', async () => {
    const { order, intentId, who } = await desk.charged();
    const raw = desk.eventOf(intentId);
    const answers = await Promise.all([desk.webhook(raw), desk.webhook(raw), desk.patch(who, order._id, intentId)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const type of ['payment_intent.payment_failed', 'payment_intent.canceled', 'customer.created'])
      expect((await desk.webhook(desk.eventOf(intentId, type))).status).toBe(200);
    expect([await desk.stateOf(order._id), await desk.count('payments', order._id)]).toEqual(['paid', 1]);
  });

  it('answers 200 when the same event is delivered again while it is handled', async () => {
    const { order, intentId } = await desk.charged();
    const raw = desk.eventOf(intentId);
    const statuses: number[] = [];
    desk.before('settle', async () => void statuses.push((await desk.webhook(raw)).status));
    statuses.push((await desk.webhook(raw)).status);
    expect(statuses).toEqual([200, 200]);
    expect([await desk.stateOf(order._id), await desk.count('payments', order._id)]).toEqual(['paid', 1]);
  });

  it('of an intent that is not ours is acknowledged and ignored', async () => {
    const draft = { amountCents: 1400, currency: 'usd', metadata: { app: 'another' }, idempotencyKey: randomUUID() };
    const { id } = await desk.provider.createIntent(draft);
    expect((await desk.webhook(desk.eventOf(id))).status).toBe(200);
    expect((await desk.webhook(desk.eventOf('pi_unknown'))).status).toBe(200);
  });

  it('is remembered only once it had its effect', async () => {
    const { intentId, order } = await desk.charged();
    const id = `evt_${randomUUID()}`;
    desk.before('settle', () => Promise.reject(new Error('the server trips')));
    expect((await desk.webhook(desk.eventOf(intentId, undefined, id))).status).toBe(500);
    const seen = () => desk.deps.db.$count(providerEvents, eq(providerEvents.id, id));
    expect([await seen(), await desk.stateOf(order._id)]).toEqual([0, 'unpaid']);
    expect((await desk.webhook(desk.eventOf(intentId, undefined, id))).status).toBe(200);
    expect([await seen(), await desk.stateOf(order._id)]).toEqual([1, 'paid']);
  });
});

// Clause C.8.12
it('There is no webhook where there is no secret to check it with', async () => {
  const env = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  const shop = await startShop({ env });
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  expect((await fetch(`${shop.origin}/webhooks/stripe`, post)).status).toBe(404);
  await shop.close();
});
