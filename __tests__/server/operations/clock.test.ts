import { Breaker } from '../../../server/payments/stripe';
import { googleKeys } from '../../../server/auth/googleKeys';
import { newEmail } from '../../support/customers';
import { makeKey, startGoogle } from '../../support/googleTokens';
import { advanceMonotonicClock, type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { waitUntil } from '../../support/wait';

const TEN_MINUTES = 600_000;
/** Of a call for another's orders, which only a session that goes on comes as far as. */
const LET_IN = 403;
const AHEAD_AND_BEHIND = [TEN_MINUTES, -TEN_MINUTES];
let off = 0;
const now = () => new Date(Date.now() + off);
const seconds = () => Math.floor(Date.now() / 1000);
beforeEach(() => {
  off = 0;
});

/** A server that is busy says so; whoever asks comes again. */
const answered = <A extends { status: number }>(ask: () => Promise<A>) =>
  waitUntil(async () => {
    const answer = await ask();
    return answer.status !== 503 && answer;
  });

describe('People, while the clock of the server is ten minutes off', () => {
  let shop: ShopWithGoogle;
  beforeAll(async () => {
    shop = await startShopWithGoogle({ now, env: { RATE_LIMIT: 'on' } });
  });
  afterAll(() => shop.close());

  const arrive = (email: string, claims = {}) => answered(() => shop.arrive(email, claims));
  const statusOf = async (token: string) => (await answered(() => shop.call('/order?email=nobody', { token }))).status;

  /** What Google's own clock writes. */
  const times = () => ({ iat: seconds() - 5, auth_time: seconds() - 5, exp: seconds() + 3595 });

  it.each([
    ['ahead', TEN_MINUTES, 200],
    ['behind', -TEN_MINUTES, 401],
  ])('%s: an ID token is taken unless it seems to come from the future, and afterwards', async (_, by, status) => {
    const email = newEmail('clock');
    off = by;
    expect((await arrive(email, times())).status).toBe(status);
    off = 0;
    expect((await arrive(email, times())).status).toBe(200);
  });

  it.each(AHEAD_AND_BEHIND)('a session of before goes on, and one begun meanwhile outlives it: %d ms', async (by) => {
    const email = newEmail('clock');
    const before = String((await arrive(email)).body.token);
    off = by;
    const meanwhile = String((await arrive(email)).body.token);
    expect([await statusOf(before), await statusOf(meanwhile)]).toEqual([LET_IN, LET_IN]);
    off = 0;
    expect([await statusOf(before), await statusOf(meanwhile)]).toEqual([LET_IN, LET_IN]);
  });

  it('a session that is over is over by the clock of the server', async () => {
    const token = String((await arrive(newEmail('clock'))).body.token);
    off = 3_600_000 + 61_000;
    expect(await statusOf(token)).toBe(401);
  });

  it('a limit holds when the clock is put back, no longer than by that, and never when it is put forward', async () => {
    off = 2 * TEN_MINUTES;
    const email = newEmail('clock');
    while ((await arrive(email)).status !== 429);
    off -= TEN_MINUTES;
    const held = await arrive(email);
    expect(held.status).toBe(429);
    expect(Number(held.headers.get('retry-after'))).toBeLessThanOrEqual(660);
    off += TEN_MINUTES + 61_000;
    expect((await arrive(email)).status).toBe(200);
  });
});

describe('A payment, when the clock moves by ten minutes in its midst', () => {
  let kit: PaymentTestKit;
  beforeAll(async () => {
    kit = await openPaymentTestKit({ silent: true, now });
  });
  afterAll(() => kit.close());

  const steps = ['create intent', 'keep intent', 'settle', 'answer payment'] as const;
  it.each(AHEAD_AND_BEHIND.flatMap((by) => steps.map((step) => [step, by] as const)))(
    'is one intent, one charge and one payment: exactly before "%s", %d ms',
    async (step, by) => {
      const { who, order, total } = await kit.unpaid();
      let moved = false;
      kit.before(step, async () => {
        off = by;
        moved = true;
      });
      const { body } = await kit.ask(who, order._id, total);
      const { intentId } = await kit.confirm(body.clientSecret);
      expect((await kit.patch(who, order._id, intentId)).status).toBe(200);
      const counts = [await kit.intents(order._id), await kit.charges(order._id)];
      expect([moved, ...counts, await kit.count('payments', order._id)]).toEqual([true, 1, 1, 1]);
      expect(await kit.findings()).toEqual([]);
    },
  );

  it('an event of ten minutes ago is refused, and the payment is found all the same', async () => {
    const { who, order, intentId } = await kit.charged();
    const raw = kit.eventOf(intentId);
    expect((await kit.webhook(raw, kit.sign(raw, seconds() - 600))).status).toBe(400);
    expect(await kit.stateOf(order._id)).toBe('unpaid');
    expect((await kit.patch(who, order._id, intentId)).status).toBe(200);
    expect(await kit.findings()).toEqual([]);
  });

  it('an event from a clock that is ten minutes ahead is heeded, since it is the provider’s', async () => {
    const { order, intentId } = await kit.charged();
    const raw = kit.eventOf(intentId);
    expect((await kit.webhook(raw, kit.sign(raw, seconds() + 600))).status).toBe(200);
    expect(await kit.stateOf(order._id)).toBe('paid');
  });
});

describe('A clock that is put back by ten minutes', () => {
  it('does not keep new keys of Google from being asked for', async () => {
    const google = await startGoogle();
    const find = googleKeys({ url: google.at.keys, now });
    expect(await find('unknown')).toBeUndefined();
    google.state.keys = [await makeKey('key-2')];
    off = -TEN_MINUTES;
    expect(await find('key-2')).toMatchObject({ kid: 'key-2' });
    await google.stop();
  });

  it('keeps nobody out longer: neither a provider that is back nor an address that asked too much', async () => {
    const shop = await startShopWithGoogle({ env: { RATE_LIMIT: 'on' } });
    const ask = async () => ({ status: (await shop.app.inject({ url: '/tool' })).statusCode });
    const tool = async () => (await answered(ask)).status;
    const some = () => Promise.all(Array.from({ length: 250 }, tool));
    // Time stands still: a slow machine would not ask too much within the ten seconds that are counted.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    while (!(await some()).includes(429));
    jest.restoreAllMocks();
    const breaker = new Breaker(
      () => true,
      () => new Error('paused'),
    );
    const fails = () => Promise.reject(new Error('away'));
    for (let n = 0; n < 5; n++) await expect(breaker.run(fails)).rejects.toThrow('away');
    const right = Date.now;
    try {
      Date.now = () => right() - TEN_MINUTES;
      await expect(breaker.run(fails)).rejects.toThrow('paused');
      advanceMonotonicClock(10_100);
      expect(await breaker.run(() => Promise.resolve('back'))).toBe('back');
      expect(await tool()).toBe(200);
    } finally {
      Date.now = right;
      jest.restoreAllMocks();
      await shop.close();
    }
  });
});
