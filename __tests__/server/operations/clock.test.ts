import { CircuitBreaker } from '../../../server/payments/stripe';
import { createGoogleKeyFinder } from '../../../server/auth/googleKeys';
import { newEmail } from '../../support/customers';
import { createSigningKey, startGoogle } from '../../support/googleTokens';
import { advanceMonotonicClock, type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const TEN_MINUTES_MS = 600_000;
/** A request for another user's orders gets a 403 with a valid session, and a 401 without. */
const VALID_SESSION = 403;
const SHIFTS = [TEN_MINUTES_MS, -TEN_MINUTES_MS];
let clockOffsetMs = 0;
const now = () => new Date(Date.now() + clockOffsetMs);
const nowSeconds = () => Math.floor(Date.now() / 1000);
beforeEach(() => {
  clockOffsetMs = 0;
});

describe("While the server's clock is wrong,", () => {
  let shop: ShopWithGoogle;
  beforeAll(async () => {
    shop = await startShopWithGoogle({ now, env: { RATE_LIMIT: 'on' } });
  });
  afterAll(() => shop.close());

  const signIn = (email: string, claims = {}) => shop.signIn(email, claims);
  const statusOf = async (token: string) => (await shop.call('/order?email=nobody', { token })).status;

  it.each(SHIFTS)(
    'sessions that started before or during that time remain valid (clock wrong by %d ms)',
    async (shift) => {
      const email = newEmail('clock');
      const before = String((await signIn(email)).body.token);
      clockOffsetMs = shift;
      const during = String((await signIn(email)).body.token);
      expect([await statusOf(before), await statusOf(during)]).toEqual([VALID_SESSION, VALID_SESSION]);
      clockOffsetMs = 0;
      expect([await statusOf(before), await statusOf(during)]).toEqual([VALID_SESSION, VALID_SESSION]);
    },
  );

  it("a session expires by the server's clock", async () => {
    const token = String((await signIn(newEmail('clock'))).body.token);
    clockOffsetMs = 3_600_000 + 61_000;
    expect(await statusOf(token)).toBe(401);
  });
});

describe('A payment during which the clock moves by ten minutes', () => {
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    testKit = await openPaymentTestKit({ withoutWebhooks: true, now });
  });
  afterAll(() => testKit.close());

  const steps = ['create intent', 'save intent', 'settle'] as const;
  it.each(SHIFTS.flatMap((shift) => steps.map((step) => [step, shift] as const)))(
    'has one intent, one charge and one record: the clock moves before "%s" by %d ms',
    async (step, shift) => {
      const { customer, order, total } = await testKit.createUnpaidOrder();
      let moved = false;
      testKit.runBefore(step, async () => {
        clockOffsetMs = shift;
        moved = true;
      });
      const { body } = await testKit.createIntent(customer, order._id, total);
      const { intentId } = await testKit.confirm(body.clientSecret);
      expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
      const counts = [await testKit.countIntents(order._id), await testKit.countCharges(order._id)];
      expect([moved, ...counts, await testKit.countRowsOf('payments', order._id)]).toEqual([true, 1, 1, 1]);
      expect(await testKit.runAudit()).toEqual([]);
    },
  );

  it('is recorded even if its webhook event is refused because it is ten minutes old', async () => {
    const { customer, order, intentId } = await testKit.createChargedOrder();
    const raw = testKit.webhookEvent(intentId);
    expect((await testKit.sendWebhook(raw, testKit.signWebhook(raw, nowSeconds() - 600))).status).toBe(400);
    expect(await testKit.stateOf(order._id)).toBe('unpaid');
    expect((await testKit.patchOrder(customer, order._id, intentId)).status).toBe(200);
    expect(await testKit.runAudit()).toEqual([]);
  });

  it('is recorded by a webhook event of a provider whose clock is ten minutes ahead', async () => {
    const { order, intentId } = await testKit.createChargedOrder();
    const raw = testKit.webhookEvent(intentId);
    expect((await testKit.sendWebhook(raw, testKit.signWebhook(raw, nowSeconds() + 600))).status).toBe(200);
    expect(await testKit.stateOf(order._id)).toBe('paid');
  });
});

describe('A clock that is set back by ten minutes', () => {
  it("does not prevent fetching Google's new keys", async () => {
    const google = await startGoogle();
    const findKey = createGoogleKeyFinder({ url: google.endpoints.keys, now });
    expect(await findKey('unknown')).toBeUndefined();
    google.state.keys = [await createSigningKey('key-2')];
    clockOffsetMs = -TEN_MINUTES_MS;
    expect(await findKey('key-2')).toMatchObject({ kid: 'key-2' });
    await google.stop();
  });

  it('extends neither the pause of the circuit breaker nor the rate limit of an IP address', async () => {
    const shop = await startShopWithGoogle({ env: { RATE_LIMIT: 'on' } });
    const toolStatus = async () => (await shop.app.inject({ url: '/tool' })).statusCode;
    const sendMany = () => Promise.all(Array.from({ length: 250 }, toolStatus));
    // Freezes the clock: a slow machine would not exceed the limit within the ten seconds of its window.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    while (!(await sendMany()).includes(429));
    jest.restoreAllMocks();
    const breaker = new CircuitBreaker(
      () => true,
      () => new Error('paused'),
    );
    const fail = () => Promise.reject(new Error('provider down'));
    for (let n = 0; n < 5; n++) await expect(breaker.run(fail)).rejects.toThrow('provider down');
    const realNow = Date.now;
    try {
      Date.now = () => realNow() - TEN_MINUTES_MS;
      await expect(breaker.run(fail)).rejects.toThrow('paused');
      advanceMonotonicClock(10_100);
      expect(await breaker.run(() => Promise.resolve('back'))).toBe('back');
      expect(await toolStatus()).toBe(200);
    } finally {
      Date.now = realNow;
      jest.restoreAllMocks();
      await shop.close();
    }
  });
});
