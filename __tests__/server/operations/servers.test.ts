import pino from 'pino';
import { block } from '../../../server/users/blocking';
import { removeAdmin } from '../../../server/users/roles';
import { bearer, type Customer, newCustomer, newEmail, callAccounts } from '../../support/customers';
import { startShop, advanceMonotonicClock, type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';
import { createTestDatabase, query, type TestDatabase } from '../../support/database';
import { expectEventually } from '../../support/wait';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { CircuitBreaker } from '../../../server/payments/stripe';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

describe('Several servers', () => {
  /** The clock stands still, so that all requests are in the same minute. */
  const START = new Date();
  const options = { env: { RATE_LIMIT: 'on' }, now: () => START };
  let copies: Awaited<ReturnType<typeof startShop>>[];
  beforeAll(async () => {
    const first = await startShop(options);
    copies = [first, await startShop({ ...options, connection: first.database!.connection })];
  });
  afterAll(async () => {
    for (const copy of copies.toReversed()) await copy.close();
  });

  const send = (copy: number, path: string, customer: Customer, body: object) =>
    fetch(copies[copy]!.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(customer) },
      body: JSON.stringify(body),
    });

  // Clause C.6.22
  test('a customer can send sixty order requests a minute across all servers, and then gets a 429 with Retry-After', async () => {
    const customer = await newCustomer(copies[0]!);
    const order = { productName: 'none', address: 'a', phone: '555 0100', totalQuantity: 1 };
    const responses = await Promise.all([...Array(62).keys()].map((n) => send(n % 2, '/order', customer, order)));
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  // Clauses C.2.13, C.5.11
  test('an admin who is demoted and then blocked is out at once on every server', async () => {
    const { db } = copies[0]!.deps;
    await newCustomer(copies[0]!, { role: 'admin' });
    const admin = await newCustomer(copies[0]!, { role: 'admin' });
    const statuses = () =>
      Promise.all(
        copies.map(async ({ origin }) => {
          const users = await fetch(`${origin}/user`, { headers: bearer(admin) });
          const profile = await fetch(`${origin}/profile/${admin.email}`, { headers: bearer(admin) });
          return [users.status, profile.status];
        }),
      );
    expect(await statuses()).toEqual([
      [200, 200],
      [200, 200],
    ]);
    expect(await removeAdmin(db, admin.email)).toBe('done');
    expect(await statuses()).toEqual([
      [403, 200],
      [403, 200],
    ]);
    expect(await block(db, admin.email, new Date())).toBe('done');
    expect(await statuses()).toEqual([
      [401, 401],
      [401, 401],
    ]);
  });
});

describe('Opening and closing a shop', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('a shop that is closed answers no more requests and has ended all connections to its database', async () => {
    const shop = await startShop({ connection: database.connection });
    expect((await fetch(`${shop.origin}/readyz`)).status).toBe(200);
    await shop.close();
    expect([shop.deps.closing.aborted, shop.deps.db.$client.ended, shop.deps.db.$client.totalCount]).toEqual([
      true,
      true,
      0,
    ]);
    await expect(fetch(`${shop.origin}/readyz`)).rejects.toThrow();
  });

  test('a shop runs its background jobs unless they are turned off', async () => {
    await query(`insert into rate_limits (bucket, hits, resets_at) values ('expired', 1, 'epoch')`, [], database.url);
    const countExpired = () => query(`select 1 from rate_limits where bucket = 'expired'`, [], database.url);
    const idleShop = await startShop({ connection: database.connection, backgroundJobs: false });
    expect(await countExpired()).toHaveLength(1);
    await idleShop.close();
    const shop = await startShop({ connection: database.connection, backgroundJobs: undefined });
    await expectEventually(countExpired, []);
    await shop.close();
  });
});

describe('The disk of a server', () => {
  const MIB = 1024 * 1024;
  let freeByteCount = 10_000 * MIB;
  const log: string[] = [];
  let testKit: OrderTestKit;
  beforeAll(async () => {
    testKit = await openOrderTestKit({
      readFreeBytes: async () => freeByteCount,
      logger: pino({ level: 'warn' }, { write: (line) => void log.push(line) }),
    });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await testKit.close();
  });

  it('a server with an almost full disk refuses writes, serves reads, and recovers when there is space', async () => {
    const customer = await testKit.createCustomer();
    const tool = await testKit.createTool();
    const place = () => testKit.placeOrder(customer, { productName: tool.name, totalQuantity: 1 });
    expect((await place()).status).toBe(201);
    freeByteCount = 127 * MIB;
    advanceMonotonicClock(1_100);
    expect(await place()).toMatchObject({ status: 507, body: { code: 'storage_full' } });
    expect((await testKit.call(customer, 'GET', '/tool')).status).toBe(200);
    expect((await fetch(`${testKit.origin}/tool`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${testKit.origin}/tool`, { method: 'OPTIONS' })).status).toBe(404);
    expect((await testKit.call(customer, 'GET', `/order?email=${customer.email}`)).status).toBe(200);
    const account = { email: 'ann@mail.example', password: 'secret-1', returnSecureToken: true };
    expect((await callAccounts(testKit.origin, 'signUp', account)).status).toBe(507);
    freeByteCount = 128 * MIB;
    advanceMonotonicClock(2_200);
    expect((await place()).status).toBe(201);
    expect(await testKit.countOrders()).toBe(2);
    expect((await callAccounts(testKit.origin, 'signUp', account)).status).toBe(200);
    const refused = { level: 40, reqId: expect.any(String), err: { detail: expect.stringContaining("can't save") } };
    expect(log.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 50, msg: 'disk almost full, writes are refused', freeBytes: 127 * MIB },
      { ...refused, msg: 'request failed, a retry may succeed', code: 'storage_full' },
      { ...refused, msg: 'identity call temporarily unavailable' },
      { level: 40, msg: 'disk has enough space again', freeBytes: 128 * MIB },
    ]);
  });
});

describe('The clock of a server', () => {
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

    it('is recorded by a webhook event of a provider whose clock is ten minutes ahead', async () => {
      const { order, intentId } = await testKit.createChargedOrder();
      const raw = testKit.webhookEvent(intentId);
      expect((await testKit.sendWebhook(raw, testKit.signWebhook(raw, nowSeconds() + 600))).status).toBe(200);
      expect(await testKit.stateOf(order._id)).toBe('paid');
    });
  });

  describe('A clock that is set back by ten minutes', () => {
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
});
