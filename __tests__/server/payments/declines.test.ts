import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/payments/sweep';
import { startCrashingServer } from '../../support/server';
import { CARDS } from '../../support/cards';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { expectEventually } from '../../support/wait';

const WITHIN_MS = 8_000;
let desk: PaymentTestKit;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true });
});
afterAll(() => desk.close());
afterEach(async () => {
  expect(await desk.findings()).toEqual([]);
});

async function begun(on = desk) {
  const made = await on.unpaid();
  const { clientSecret } = (await on.ask(made.who, made.order._id, made.total)).body;
  return { ...made, clientSecret, intentId: clientSecret.split('_secret_')[0]! };
}
type Begun = Awaited<ReturnType<typeof begun>>;

async function decline({ clientSecret }: Begun, times: number, on = desk) {
  for (let n = 0; n < times; n++) await on.confirm(clientSecret, CARDS.declined);
}
const statusOf = async ({ intentId }: Begun, on = desk) => (await on.provider.findIntent(intentId))?.status;
const ask = ({ who, order, total }: Begun, on = desk) => on.ask(who, order._id, total);
const attempts = ({ order }: Begun) =>
  desk.rows(sql`select state, refused_until is not null as refused from payment_attempts
    where order_id = ${order._id} order by n`);

async function isRefused(made: Begun, on = desk) {
  const { status, body, headers } = await ask(made, on);
  expect([status, body.code]).toEqual([429, 'too_many_declines']);
  expect(body).toMatchObject({
    detail: expect.stringMatching(/^Too many declined cards\. You can try again in (an hour|\d+ minutes)\./),
  });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
}

describe('After ten declined cards', () => {
  it('a webhook cancels the payment within eight seconds', async () => {
    const own = await openPaymentTestKit();
    const made = await begun(own);
    await decline(made, 9, own);
    expect(await statusOf(made, own)).toBe('requires_payment_method');
    await decline(made, 1, own);
    await expectEventually(() => statusOf(made, own), 'canceled', WITHIN_MS);
    expect((await own.confirm(made.clientSecret)).error?.code).toBe('payment_intent_unexpected_state');
    await isRefused(made, own);
    await own.close();
  });

  it('the sweep cancels it where no webhook comes', async () => {
    const made = await begun();
    await decline(made, 9);
    await sweepOnce(desk.deps);
    expect((await ask(made)).body.clientSecret).toBe(made.clientSecret);
    await decline(made, 1);
    await sweepOnce(desk.deps);
    expect([await statusOf(made), await attempts(made)]).toEqual(['canceled', [{ state: 'canceled', refused: true }]]);
    await isRefused(made);
  });

  it('a new payment is refused for an hour, then it begins and pays', async () => {
    const made = await begun();
    await decline(made, 10);
    await isRefused(made);
    expect(await statusOf(made)).toBe('canceled');
    await isRefused(made);
    await desk.rows(sql`update payment_attempts set refused_until = refused_until - interval '1 hour'
      where order_id = ${made.order._id}`);
    const { body } = await ask(made);
    const { intentId } = await desk.confirm(body.clientSecret);
    expect(intentId).not.toBe(made.intentId);
    expect((await desk.patch(made.who, made.order._id, intentId)).body.paid).toBe(true);
  });

  it('the order takes no stock while it waits, and can be deleted', async () => {
    const made = await begun();
    await decline(made, 10);
    await isRefused(made);
    await desk.giveBack(made.order._id);
    await isRefused(made);
    expect(await desk.available(made.tool.id)).toBe(100);
    expect((await desk.call(made.who, 'DELETE', `/order/${made.order._id}`)).status).toBe(204);
  });

  it('another order of the same customer can be paid', async () => {
    const made = await begun();
    await decline(made, 10);
    await isRefused(made);
    const other = await desk.unpaid({ who: made.who });
    expect((await desk.ask(other.who, other.order._id, other.total)).status).toBe(200);
  });

  it('that come at once, twenty in parallel, one pause begins', async () => {
    const made = await begun();
    await Promise.all(Array.from({ length: 20 }, () => desk.confirm(made.clientSecret, CARDS.declined)));
    const events = Array.from({ length: 10 }, () => desk.eventOf(made.intentId, 'payment_intent.payment_failed'));
    const taken = await Promise.all(events.map((event) => desk.webhook(event)));
    expect(new Set(taken.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await statusOf(made), await attempts(made)]).toEqual(['canceled', [{ state: 'canceled', refused: true }]]);
    await isRefused(made);
  });

  it.each(['sweep', 'webhook'])(
    'a server that is killed before it cancels leaves that to the next %s',
    async (next) => {
      const made = await begun();
      await decline(made, 10);
      const mortal = await startCrashingServer(desk.database!.connection, 'cancel declined intent');
      const headers = { authorization: `Bearer ${made.who.token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ totalPrice: made.total });
      const path = `/create-payment-intent?order=${made.order._id}`;
      await expect(fetch(mortal.origin + path, { method: 'POST', headers, body })).rejects.toThrow();
      expect((await mortal.died)[1]).toBe('SIGKILL');
      expect(await attempts(made)).toEqual([{ state: 'open', refused: true }]);
      await isRefused(made);
      if (next === 'sweep') await sweepOnce(desk.deps);
      else await desk.webhook(desk.eventOf(made.intentId, 'payment_intent.payment_failed'));
      expect([await statusOf(made), await attempts(made)]).toEqual([
        'canceled',
        [{ state: 'canceled', refused: true }],
      ]);
      await isRefused(made);
    },
  );

  it('a card that pays just before the payment is canceled has paid the order', async () => {
    const made = await begun();
    await decline(made, 10);
    desk.before('cancel declined intent', () => desk.confirm(made.clientSecret));
    const { status, body } = await ask(made);
    expect([status, body.code, await desk.stateOf(made.order._id)]).toEqual([409, 'order_paid', 'paid']);
    expect([await statusOf(made), await desk.charges(made.order._id)]).toEqual(['succeeded', 1]);
  });
});

it('A card that pays at the tenth try pays the order, and nothing is canceled', async () => {
  const made = await begun();
  await decline(made, 9);
  await sweepOnce(desk.deps);
  await desk.confirm(made.clientSecret);
  await desk.webhook(desk.eventOf(made.intentId, 'payment_intent.payment_failed'));
  expect([await statusOf(made), await desk.stateOf(made.order._id)]).toEqual(['succeeded', 'paid']);
  expect(await attempts(made)).toEqual([{ state: 'succeeded', refused: false }]);
});

it('A payment of another shop on the same account is never canceled', async () => {
  const { who, order } = await begun();
  const draft = { amountCents: 1400, currency: 'usd', metadata: { app: 'another' }, idempotencyKey: randomUUID() };
  const { id, clientSecret } = await desk.provider.createIntent(draft);
  for (let n = 0; n < 10; n++) await desk.confirm(clientSecret!, CARDS.declined);
  await desk.webhook(desk.eventOf(id, 'payment_intent.payment_failed'));
  expect((await desk.patch(who, order._id, id)).status).toBe(422);
  expect((await desk.provider.findIntent(id))?.status).toBe('requires_payment_method');
});
