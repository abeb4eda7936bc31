import { sweepOnce } from '../../../server/payments/sweep';
import { advanceMonotonicClock } from '../../support/shop';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const MINUTES = 10;
let away = false;
let ahead = 0;
let desk: PaymentTestKit;
beforeAll(async () => {
  const onCall = () => (away ? ({ status: 500 } as const) : undefined);
  desk = await openPaymentTestKit({ silent: true, now: () => new Date(Date.now() + ahead), faults: { onCall } });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await desk.close();
});

const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];
const AWAY = [503, 'payment_provider_unavailable'];

it('A provider that is away for ten minutes costs nobody an order or a payment, and all is well at the first look afterwards', async () => {
  const [paid, wanted, gone] = [await desk.charged(), await desk.unpaid(), await desk.charged()];
  const [deleted, untouched] = [await desk.unpaid(), await desk.unpaid()];
  const { intentId: open } = await desk.confirm(
    (await desk.ask(deleted.who, deleted.order._id, deleted.total)).body.clientSecret,
    'no card',
  );
  const event = desk.eventOf(gone.intentId);
  away = true;
  const placed = [wanted];
  for (let minute = 0; minute < MINUTES; minute++, ahead += 60_000) {
    await sweepOnce(desk.deps);
    for (const refused of [
      await desk.ask(wanted.who, wanted.order._id, wanted.total),
      await desk.patch(paid.who, paid.order._id, paid.intentId),
      await desk.call(deleted.who, 'DELETE', `/order/${deleted.order._id}`),
    ]) {
      expect(codeOf(refused)).toEqual(AWAY);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await desk.webhook(event)).status).toBe(503);
    expect((await desk.call(null, 'GET', '/tool')).status).toBe(200);
    placed.push(await desk.unpaid());
  }
  expect((await desk.call(untouched.who, 'DELETE', `/order/${untouched.order._id}`)).status).toBe(204);
  expect(await Promise.all([paid, gone, wanted, deleted].map(({ order }) => desk.stateOf(order._id)))).toEqual(
    Array(4).fill('unpaid'),
  );

  away = false;
  advanceMonotonicClock(5_100);
  await sweepOnce(desk.deps);
  expect(await Promise.all([paid, gone].map(({ order }) => desk.stateOf(order._id)))).toEqual(['paid', 'paid']);
  expect((await desk.call(deleted.who, 'DELETE', `/order/${deleted.order._id}`)).status).toBe(204);
  expect((await desk.provider.findIntent(open))?.status).toBe('canceled');
  for (const { who, order, total } of placed) {
    const { intentId } = await desk.confirm((await desk.ask(who, order._id, total)).body.clientSecret);
    expect((await desk.patch(who, order._id, intentId)).status).toBe(200);
    expect([await desk.intents(order._id), await desk.charges(order._id)]).toEqual([1, 1]);
  }
  expect(await desk.findings()).toEqual([]);
}, 120_000);
