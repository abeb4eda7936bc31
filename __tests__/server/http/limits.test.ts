import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { networkOf } from '../../../server/http/network';
import { startShop, type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';
import { newEmail } from '../../support/customers';
import { expectEventually } from '../../support/wait';
import { registerLoadShedding } from '../../../server/http/overload';

describe('The network of an address', () => {
  describe('A rate limit by IP address treats', () => {
    it('each IPv4 address separately, and its IPv4-mapped IPv6 form as the same address', () => {
      for (const address of ['203.0.113.9', '10.20.30.40'])
        expect([networkOf(address), networkOf(`::ffff:${address}`)]).toEqual([address, address]);
    });

    it.each([
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
      ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
      ['2001:db8::1', '2001:db8:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['64:ff9b::ffff:203.0.113.9', '64:ff9b:0:0::/64'],
      ['2001:db8:1::3:4:5:6:7', '2001:db8:1:3::/64'],
      ['::ffff:203.0.113.9%eth0', '0:0:0:0::/64'],
    ])('the address %s as the network %s', (address, network) => {
      expect(networkOf(address)).toBe(network);
    });
  });
});

describe('The rate limit', () => {
  const MAX_REQUESTS = 2_000;
  const LOGIN_PATH = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any';
  /** Firebase's SDK knows this code, and its message for the user is about waiting. */
  const TOO_MANY = 'TOO_MANY_ATTEMPTS_TRY_LATER';

  async function sendRequests(RATE_LIMIT: string, addresses: string[]) {
    const shop = await startShop({ env: { RATE_LIMIT, TRUST_PROXY: '127.0.0.1', DEMO_EXPOSED: 'on' } });
    const sendTo = (url: string, method: 'GET' | 'POST') => (address: string) =>
      shop.app.inject({
        url,
        method,
        headers: { 'x-forwarded-for': address },
        remoteAddress: '127.0.0.1',
        payload: {},
      });
    const send = sendTo('/tool', 'GET');
    // The limiter's clock stands still, so that a slow machine sends them within ten seconds too.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    for (let n = 0; n < MAX_REQUESTS; n++) await send(addresses[0]!);
    const last = await Promise.all(addresses.map(send));
    const logins = await Promise.all(addresses.map(sendTo(LOGIN_PATH, 'POST')));
    clock.mockRestore();
    await shop.close();
    return {
      responses: last.map(({ statusCode, headers }) => [statusCode, Number(headers['retry-after'] ?? 0) > 0]),
      logins: logins.map((response) => response.json<{ error: { message: string } }>().error.message),
    };
  }

  // The second address is in the same IPv6 network, and the third one is not.
  const ADDRESSES = ['2001:db8:1:2::7', '2001:db8:1:2::8', '2001:db8:1:3::7'];

  it('after 2,000 requests within ten seconds, an IP network gets a 429 with Retry-After, and other networks do not', async () => {
    expect(await sendRequests('on', ADDRESSES)).toEqual({
      responses: [
        [429, true],
        [429, true],
        [200, false],
      ],
      logins: [TOO_MANY, TOO_MANY, 'MISSING_EMAIL'],
    });
  });

  it('with RATE_LIMIT=off, an IP network can send any number of requests', async () => {
    const { responses, logins } = await sendRequests('off', ADDRESSES);
    expect([responses, logins]).toEqual([Array(3).fill([200, false]), Array(3).fill('MISSING_EMAIL')]);
  });
});

describe('Proxies', () => {
  const REFUSALS_PER_MINUTE = 100;
  const METRICS_TOKEN = 'a token for the metrics';
  const env = { RATE_LIMIT: 'on', DEMO_EXPOSED: 'on', METRICS_TOKEN };
  let shop: ShopWithGoogle;
  afterEach(() => shop.close());

  /**
   * Tries to sign in with an invalid token, once for each `X-Forwarded-For`.
   * @returns the statuses of the responses
   */
  async function sendRefusedSignIns(forwardedFor: string[]): Promise<number[]> {
    const path = `/user/${newEmail()}`;
    const statuses = [];
    for (const address of forwardedFor) {
      const headers = { 'x-forwarded-for': address };
      const { status } = await shop.call(path, { method: 'PUT', token: 'forged', body: { email: 'x' }, headers });
      statuses.push(status);
    }
    return statuses;
  }
  const addressesUpToLimit = (address: (n: number) => string) =>
    Array.from({ length: REFUSALS_PER_MINUTE }, (_, n) => address(n));
  const ALL_REFUSED = addressesUpToLimit(() => '').map(() => 401);

  describe('Behind a proxy that TRUST_PROXY names', () => {
    beforeEach(
      async () => void (shop = await startShopWithGoogle({ env: { ...env, TRUST_PROXY: '10.0.0.1, 127.0.0.1' } })),
    );

    it('the rate limit counts the IP address that the proxy adds to X-Forwarded-For', async () => {
      const ann = '203.0.113.1';
      expect(await sendRefusedSignIns(addressesUpToLimit((n) => `198.51.100.${n}, ${ann}`))).toEqual(ALL_REFUSED);
      expect(await sendRefusedSignIns([ann, `198.51.100.99, ${ann}`, '203.0.113.2'])).toEqual([429, 429, 401]);
    });
  });

  describe('Behind a proxy that TRUST_PROXY does not name', () => {
    beforeEach(async () => void (shop = await startShopWithGoogle({ env: { ...env, TRUST_PROXY: '10.0.0.1' } })));

    it('X-Forwarded-For does not bypass the rate limit', async () => {
      expect(await sendRefusedSignIns(addressesUpToLimit((n) => `203.0.113.${n}`))).toEqual(ALL_REFUSED);
      expect(await sendRefusedSignIns(['203.0.113.99', '10.0.0.1'])).toEqual([429, 429]);
    });
  });
});

describe('An overloaded shop', () => {
  const MANIFEST = join(__dirname, '../../../dist/client/manifest.json');
  /** Below zero, so that even a punctual event loop is too late. */
  const MAX_LAG_MS = -1_000;

  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    // Time stands still, so that the server remains overloaded.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    shop = await startShop({ maxLagMs: MAX_LAG_MS });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await shop.close();
  });

  const get = (path: string, accept = '*/*') => fetch(shop.origin + path, { headers: { accept } });
  const statusOf = async (path: string, accept?: string) => (await get(path, accept)).status;

  test('an overloaded server answers 503, but still serves pages, scripts, pictures and the catalog', async () => {
    const { groups } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { groups: Record<string, string[]> };
    await expectEventually(() => statusOf('/user'), 503);
    const statuses = [
      await statusOf(`/assets/${groups['firebase']![0]}`),
      await statusOf('/images/placeholder.svg'),
      await statusOf('/v1/sandbox/stripe.js'),
      await statusOf('/', 'text/html'),
      await statusOf('/dashboard', 'text/html'),
      await statusOf('/tool'),
      await statusOf('/review'),
      await statusOf('/healthz'),
      await statusOf('/metrics'),
    ];
    const refused = await get('/user');
    expect([...new Set(statuses), refused.status, await statusOf('/readyz')]).toEqual([200, 503, 503]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
  });
});

describe('The delay of the event loop', () => {
  const MAX_LAG_MS = 50;
  const CHECK_MS = 100;
  const SHEDDING_MS = 1000;
  const LATE_MS = CHECK_MS + MAX_LAG_MS + 1;

  let clock = 0;
  let runCheck = () => {};
  let app: ReturnType<typeof createApp>;

  function createApp() {
    const instance = Fastify().withTypeProvider<TypeBoxTypeProvider>();
    registerLoadShedding(instance, MAX_LAG_MS, ({ url }) => url === '/always');
    for (const path of ['/', '/always']) instance.get(path, async () => 'served');
    return instance;
  }

  /** The test controls the clock and the timer, so a slow machine does not matter. */
  beforeEach(async () => {
    jest.spyOn(performance, 'now').mockImplementation(() => clock);
    jest.spyOn(globalThis, 'setInterval').mockImplementation((work) => {
      runCheck = work as () => void;
      return setTimeout(() => undefined).unref();
    });
    app = createApp();
    clock += 60_000;
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.close();
  });

  /** Fires the timer after each of these delays. */
  function tick(...milliseconds: number[]) {
    for (const ms of milliseconds) {
      clock += ms;
      runCheck();
    }
  }
  const statusOf = async (url = '/') => (await app.inject({ url })).statusCode;

  it('a server that starts slowly does not reject requests', async () => {
    tick(CHECK_MS, CHECK_MS);
    expect(await statusOf()).toBe(200);
  });

  it('a server does not reject requests after a single event-loop delay, however long', async () => {
    tick(CHECK_MS, 60_000);
    expect(await statusOf()).toBe(200);
    tick(CHECK_MS, 60_000, CHECK_MS);
    expect(await statusOf()).toBe(200);
  });

  it('a server does not reject requests while its event-loop delays are within the limit', async () => {
    tick(LATE_MS - 1, LATE_MS - 1, LATE_MS - 1);
    expect(await statusOf()).toBe(200);
  });

  it('after two consecutive event-loop delays, a server rejects requests for exactly one second', async () => {
    tick(LATE_MS, LATE_MS);
    expect([await statusOf(), await statusOf('/always')]).toEqual([503, 200]);
    clock += SHEDDING_MS - 1;
    expect(await statusOf()).toBe(503);
    clock += 1;
    expect(await statusOf()).toBe(200);
  });

  it('an overloaded server rejects requests until one second after the last event-loop delay', async () => {
    tick(LATE_MS, LATE_MS, LATE_MS * 5, LATE_MS * 5);
    tick(CHECK_MS, CHECK_MS);
    clock += SHEDDING_MS - 2 * CHECK_MS - 1;
    expect(await statusOf()).toBe(503);
    clock += 1;
    expect(await statusOf()).toBe(200);
  });
});
