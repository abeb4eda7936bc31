import { withinDeadline } from '../../../server/payments/provider';
import { sweepOnce } from '../../../server/jobs/sweep';
import { advanceMonotonicClock } from '../../support/shop';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const OUTAGE_MINUTES = 10;
let isProviderDown = false;
let clockOffsetMs = 0;
let testKit: PaymentTestKit;
beforeAll(async () => {
  const onCall = () => (isProviderDown ? ({ status: 500 } as const) : undefined);
  testKit = await openPaymentTestKit({
    withoutWebhooks: true,
    now: () => new Date(Date.now() + clockOffsetMs),
    faults: { onCall },
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await testKit.close();
});

const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];
const UNAVAILABLE = [503, 'payment_provider_unavailable'];

it('a call that the provider never answers fails after twelve seconds', async () => {
  jest.useFakeTimers();
  const failure = expect(withinDeadline(new Promise(() => undefined))).rejects.toMatchObject({ status: 503 });
  jest.advanceTimersByTime(12_000);
  jest.useRealTimers();
  await failure;
});

it('if the provider is down for ten minutes, no order or payment is lost, and everything works as soon as it is back', async () => {
  const [paid, unpaid, abandoned] = [
    await testKit.createChargedOrder(),
    await testKit.createUnpaidOrder(),
    await testKit.createChargedOrder(),
  ];
  const [deleted, untouched] = [await testKit.createUnpaidOrder(), await testKit.createUnpaidOrder()];
  const { intentId: openIntent } = await testKit.confirm(
    (await testKit.createIntent(deleted.customer, deleted.order._id, deleted.total)).body.clientSecret,
    'no card',
  );
  const event = testKit.webhookEvent(abandoned.intentId);
  isProviderDown = true;
  const placed = [unpaid];
  for (let minute = 0; minute < OUTAGE_MINUTES; minute++, clockOffsetMs += 60_000) {
    await sweepOnce(testKit.deps);
    for (const response of [
      await testKit.createIntent(unpaid.customer, unpaid.order._id, unpaid.total),
      await testKit.patchOrder(paid.customer, paid.order._id, paid.intentId),
      await testKit.call(deleted.customer, 'DELETE', `/order/${deleted.order._id}`),
    ]) {
      expect(codeOf(response)).toEqual(UNAVAILABLE);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await testKit.sendWebhook(event)).status).toBe(503);
    expect((await testKit.call(null, 'GET', '/tool')).status).toBe(200);
    placed.push(await testKit.createUnpaidOrder());
  }
  expect((await testKit.call(untouched.customer, 'DELETE', `/order/${untouched.order._id}`)).status).toBe(204);
  expect(await Promise.all([paid, abandoned, unpaid, deleted].map(({ order }) => testKit.stateOf(order._id)))).toEqual(
    Array(4).fill('unpaid'),
  );

  isProviderDown = false;
  // Ends the pause of the circuit breaker.
  advanceMonotonicClock(5_100);
  await sweepOnce(testKit.deps);
  expect(await Promise.all([paid, abandoned].map(({ order }) => testKit.stateOf(order._id)))).toEqual(['paid', 'paid']);
  expect((await testKit.call(deleted.customer, 'DELETE', `/order/${deleted.order._id}`)).status).toBe(204);
  expect((await testKit.provider.findIntent(openIntent))?.status).toBe('canceled');
  for (const { customer, order, total } of placed) {
    const { intentId } = await testKit.confirm(
      (await testKit.createIntent(customer, order._id, total)).body.clientSecret,
    );
    expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
    expect([await testKit.countIntents(order._id), await testKit.countCharges(order._id)]).toEqual([1, 1]);
  }
  expect(await testKit.runAudit()).toEqual([]);
}, 120_000);
