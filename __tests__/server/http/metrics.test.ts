import { performance } from 'node:perf_hooks';
import { startShop } from '../../support/shop';

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
const BOUNDS = ['0.005', '0.01', '0.025', '0.05', '0.075', '0.1', '0.25', '0.5', '0.75', '1', '2.5', '5', '7.5', '10'];

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

  it('durations are in seconds', async () => {
    const readSum = async () => {
      const metrics = parseMetrics(await (await fetch(`${shop.origin}/metrics`)).text());
      const samples = metrics.get(DURATION)!.filter(({ labels }) => labels['http_route'] === '/tool/:id');
      return samples.find(({ name }) => name.endsWith('_sum'))?.value ?? 0;
    };
    const [before, startedAt] = [await readSum(), performance.now()];
    for (let n = 0; n < 20; n++) await fetch(`${shop.origin}/tool/none`);
    const seconds = (performance.now() - startedAt) / 1000;
    const measured = (await readSum()) - before;
    expect([measured > 0, measured <= seconds]).toEqual([true, true]);
  });

  it('the metrics are these, with their types and descriptions', async () => {
    const text = await (await fetch(`${shop.origin}/metrics`)).text();
    const described = [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \1 (\w+)$/gm)];
    expect(described.map(([, name, help, type]) => `${name} ${type}: ${help}`)).toEqual([
      'http_server_request_duration_seconds histogram: Duration of HTTP server requests.',
      'nodejs_eventloop_delay_seconds gauge: Delay of the event loop since the last scrape.',
      'nodejs_eventloop_time_seconds_total counter: Time for which the event loop was active or idle.',
      'process_cpu_seconds_total counter: CPU time of the process, user and system.',
      'process_start_time_seconds gauge: Start time of the process since the Unix epoch.',
      'process_resident_memory_bytes gauge: Resident memory of the process.',
      'nodejs_heap_size_used_bytes gauge: JavaScript heap memory in use.',
      'nodejs_heap_size_total_bytes gauge: Size of the JavaScript heap.',
      'nodejs_external_memory_bytes gauge: Memory of buffers outside of the heap.',
      'nodejs_active_resources gauge: Open handles, requests and timers.',
      'forgeline_account_look_up_failures_total counter: Sign-ins allowed although the account lookup at the identity provider failed.',
      'forgeline_review_list_bytes gauge: Bytes of the list of all reviews, uncompressed.',
      'forgeline_unsettled_succeeded gauge: Succeeded payments that are not recorded yet.',
      'forgeline_refunds_due gauge: Payments that must be refunded.',
      "forgeline_refunds gauge: The shop's own refunds that are unfinished or failed.",
      'forgeline_refunds_reported gauge: Refunds that the provider reports, except failed ones.',
      'forgeline_disputes_reported gauge: Disputes that the provider reports as open or lost.',
      'forgeline_stock_held_unpaid gauge: Share of the unsold stock that unpaid orders hold.',
      'forgeline_mails gauge: Emails to customers that are queued, or that failed in the last 90 days.',
    ]);
  });

  it('the CPU time, the memory and the delays of the event loop have plausible values in seconds and bytes', async () => {
    const cpuSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
    const loopSeconds = () => {
      const { active, idle } = performance.eventLoopUtilization();
      return (active + idle) / 1000;
    };
    const [cpuBefore, loopBefore] = [cpuSeconds(), loopSeconds()];
    const metrics = parseMetrics(await (await fetch(`${shop.origin}/metrics`)).text());
    const valuesOf = (name: string) => metrics.get(name)!.map(({ value }) => value);
    const [cpu] = valuesOf('process_cpu_seconds_total');
    expect([cpu! >= cpuBefore, cpu! <= cpuSeconds()]).toEqual([true, true]);
    const [external] = valuesOf('nodejs_external_memory_bytes');
    expect([external! > 1_000_000, external! <= process.memoryUsage.rss() * 2]).toEqual([true, true]);
    expect(valuesOf('nodejs_heap_size_total_bytes')[0]).toBeGreaterThan(valuesOf('nodejs_heap_size_used_bytes')[0]!);
    const delays = delaysOf(metrics);
    expect(delays.map(({ labels }) => labels['quantile'])).toEqual(['0.5', '0.99', '1']);
    // On an idle machine, no delay is long enough to be measured.
    expect(delays.at(-1)!.value).toBeGreaterThanOrEqual(0);
    expect(delays.at(-1)!.value).toBeLessThan(60);
    const times = metrics.get('nodejs_eventloop_time_seconds_total')!;
    expect(times.map(({ labels }) => labels['nodejs_eventloop_state'])).toEqual(['active', 'idle']);
    const sum = times.reduce((total, { value }) => total + value, 0);
    expect([sum >= loopBefore, sum <= loopSeconds()]).toEqual([true, true]);
  });
});
