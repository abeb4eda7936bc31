import { startShop } from '../../support/shop';
import { FIREBASE_ENV } from '../../support/googleTokens';

describe('The metrics', () => {
  interface Sample {
    name: string;
    labels: Record<string, string>;
    value: number;
  }

  /** @returns the samples of Prometheus' text format, by the names of their metrics */
  function parseMetrics(text: string): Map<string, Sample[]> {
    const metrics = new Map<string, Sample[]>();
    let samples: Sample[] = [];
    for (const line of text.trimEnd().split('\n')) {
      const [, typed] = /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line) ?? [];
      if (typed) metrics.set(typed, (samples = []));
      if (line.startsWith('#')) continue;
      const [, name, labels = '', value] = /^(\w+)(?:\{(.+)\})? (\S+)$/.exec(line)!;
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text] as const);
      samples.push({ name: name!, labels: Object.fromEntries(pairs), value: Number(value) });
    }
    return metrics;
  }

  const DURATION = 'http_server_request_duration_seconds';
  const BOUNDS = [
    '0.005',
    '0.01',
    '0.025',
    '0.05',
    '0.075',
    '0.1',
    '0.25',
    '0.5',
    '0.75',
    '1',
    '2.5',
    '5',
    '7.5',
    '10',
  ];

  const delaysOf = (metrics: Map<string, Sample[]>) =>
    metrics
      .get('nodejs_eventloop_delay_seconds')!
      .toSorted((a, b) => Number(a.labels['quantile']) - Number(b.labels['quantile']));

  describe('On a running shop', () => {
    let shop: Awaited<ReturnType<typeof startShop>>;
    beforeAll(async () => {
      shop = await startShop({ env: { DEMO: 'on' } });
    });
    afterAll(() => shop.close());

    it('the metrics include the durations of requests by route, and metrics of the process', async () => {
      for (const path of ['/tool', '/', '/tool/none', '/assets/none.js', '/metrics']) await fetch(shop.origin + path);
      const response = await fetch(`${shop.origin}/metrics`);
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      const metrics = parseMetrics(await response.text());
      const durations = metrics.get(DURATION)!;
      const routes = durations.map(({ labels }) => labels['http_route']);
      expect([...new Set(routes)]).toEqual(expect.arrayContaining(['/tool', '/tool/:id', 'page', '/metrics']));
      const ofTools = { http_request_method: 'GET', http_route: '/tool', http_response_status_code: '200' };
      const buckets = durations.filter(
        ({ name, labels }) => name.endsWith('_bucket') && labels['http_route'] === '/tool',
      );
      expect(buckets.map(({ labels }) => labels)).toEqual([...BOUNDS, '+Inf'].map((le) => ({ ...ofTools, le })));
      const valueOf = (name: string) => metrics.get(name)!.map(({ value }) => value);
      const delays = delaysOf(metrics).map(({ value }) => value);
      expect(delays).toEqual(delays.toSorted((a, b) => a - b));
      expect(valueOf('nodejs_eventloop_time_seconds_total')).toHaveLength(2);
      expect(valueOf('process_resident_memory_bytes')[0]).toBeGreaterThan(valueOf('nodejs_heap_size_used_bytes')[0]!);
      expect(valueOf('nodejs_active_resources')[0]).toBeGreaterThan(0);
      expect(Math.abs(valueOf('process_start_time_seconds')[0]! * 1000 - Date.now())).toBeLessThan(3_600_000);
    });
  });
});

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
