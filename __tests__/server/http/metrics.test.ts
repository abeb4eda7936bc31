import { startShop } from '../../support/shop';
import { FIREBASE_ENV } from '../../support/googleTokens';

describe('Access to the metrics', () => {
  const TOKEN = 'a token for the metrics';
  const OUTSIDE_SERVICES = { ...FIREBASE_ENV, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  const PROXY_HEADERS = [
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-any',
    'forwarded',
    'via',
    'x-real-ip',
  ];

  let shop: Awaited<ReturnType<typeof startShop>>;
  const openShop = async (env: Record<string, string>) =>
    void (shop = await startShop({ env: { ...OUTSIDE_SERVICES, ...env } }));
  afterEach(() => shop.close());

  const statusOfMetrics = async (headers: Record<string, string> = {}) =>
    (await fetch(`${shop.origin}/metrics`, { headers })).status;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  describe('On a local shop', () => {
    beforeEach(() => openShop({ METRICS_TOKEN: TOKEN }));

    it('a request from the same machine can read the metrics without the token', async () => {
      expect(await statusOfMetrics()).toBe(200);
    });

    it.each([
      ['127.0.0.1', 200],
      ['::1', 200],
      ['::ffff:127.0.0.1', 200],
      ['192.0.2.1', 403],
      ['::ffff:192.0.2.1', 403],
    ])('a request from the address %s without the token is answered with %i', async (remoteAddress, status) => {
      const { statusCode } = await shop.app.inject({ url: '/metrics', headers: { host: 'localhost' }, remoteAddress });
      expect(statusCode).toBe(status);
    });

    it('a request through a proxy needs the token to read the metrics', async () => {
      for (const name of PROXY_HEADERS)
        expect([
          name,
          await statusOfMetrics({ [name]: '1' }),
          await statusOfMetrics({ [name]: '1', ...bearer(TOKEN) }),
        ]).toEqual([name, 403, 200]);
    });
  });

  describe('On a public shop', () => {
    it('even a request from the same machine needs the token, because a request through a proxy can look local', async () => {
      await openShop({ PUBLIC_URL: 'https://shop.example', RATE_LIMIT: 'on', METRICS_TOKEN: TOKEN });
      expect([await statusOfMetrics(), await statusOfMetrics(bearer(TOKEN))]).toEqual([403, 200]);
      for (const wrong of ['', 'undefined', TOKEN.slice(1), `${TOKEN}s`, TOKEN.toUpperCase()])
        expect([wrong, await statusOfMetrics(bearer(wrong))]).toEqual([wrong, 403]);
    });

    it('nobody can read the metrics unless a token is configured', async () => {
      await openShop({ PUBLIC_URL: 'https://shop.example', RATE_LIMIT: 'on' });
      expect([
        await statusOfMetrics(),
        await statusOfMetrics(bearer('undefined')),
        await statusOfMetrics(bearer('')),
      ]).toEqual([403, 403, 403]);
    });
  });
});
