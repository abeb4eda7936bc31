import { performance } from 'node:perf_hooks';
import { Metrics } from '../../../server/http/metrics';
import { startShop } from '../../support/shop';

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}
interface Family {
  type: string;
  samples: Sample[];
}

const HELP = /^# HELP ([a-zA-Z_:][\w:]*) \S.*$/;
const TYPE = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram)$/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.+)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;
const SUFFIX = /_(bucket|sum|count)$/;

function labelsOf(text: string): Record<string, string> {
  const labels: [string, string][] = [];
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined) throw new Error(`These labels can't be read: ${text}`);
    labels.push([name, value!]);
  }
  return Object.fromEntries(labels);
}

/** Reads Prometheus' text format by its rules: each family has HELP, TYPE and then all of its samples. */
function parseMetrics(text: string): Map<string, Family> {
  expect(text.endsWith('\n')).toBe(true);
  const families = new Map<string, Family>();
  const series = new Set<string>();
  let current: [string, Family] | undefined;
  let helpName: string | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const help = HELP.exec(line);
    const type = TYPE.exec(line);
    if (help) {
      expect(families.has(help[1]!)).toBe(false);
      helpName = help[1];
    } else if (type) {
      expect(type[1]).toBe(helpName);
      current = [type[1]!, { type: type[2]!, samples: [] }];
      families.set(...current);
    } else {
      const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
      if (name === undefined) throw new Error(`This line can't be read: ${line}`);
      const [family, { type: kind, samples }] = current!;
      expect([line, kind === 'histogram' ? name.replace(SUFFIX, '') : name]).toEqual([line, family]);
      expect([line, Number.isFinite(Number(value))]).toEqual([line, true]);
      expect([line, series.has(`${name}{${labels}}`)]).toEqual([line, false]);
      series.add(`${name}{${labels}}`);
      samples.push({ name, labels: labelsOf(labels), value: Number(value) });
    }
  }
  return families;
}

const DURATION = 'http_server_request_duration_seconds';
const BOUNDS = ['0.005', '0.01', '0.025', '0.05', '0.075', '0.1', '0.25', '0.5', '0.75', '1', '2.5', '5', '7.5', '10'];

/** @returns the samples grouped by their labels, without the bound of the bucket */
function checkHistogram({ samples }: Family) {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) groups.set(keyOf(sample), [...(groups.get(keyOf(sample)) ?? []), sample]);
  for (const [key, group] of groups) {
    const buckets = group.filter(({ name }) => name === `${DURATION}_bucket`);
    expect([key, buckets.map(({ labels }) => labels['le'])]).toEqual([key, [...BOUNDS, '+Inf']]);
    const counts = buckets.map(({ value }) => value);
    expect([key, counts]).toEqual([key, counts.toSorted((a, b) => a - b)]);
    const [sum, count] = ['sum', 'count'].map((end) => group.find(({ name }) => name === `${DURATION}_${end}`)!.value);
    expect([key, count]).toEqual([key, counts.at(-1)]);
    expect(sum).toBeGreaterThanOrEqual(0);
  }
  return groups;
}

function keyOf({ labels: { le: _le, ...labels } }: Sample): string {
  return JSON.stringify(labels);
}

test("a histogram counts a duration that equals a bucket's bound in that bucket and in all higher ones", async () => {
  const metrics = new Metrics();
  for (const seconds of [0.001, 0.005, 0.0051, 0.8, 10, 11]) metrics.observe('/tool', 'GET', 200, seconds);
  metrics.observe('/tool', 'GET', 304, 0.001);
  const family = parseMetrics(await metrics.text()).get(DURATION)!;
  const groups = checkHistogram(family);
  const labels = { http_request_method: 'GET', http_route: '/tool' };
  const valuesFor = (status: string) => groups.get(JSON.stringify({ ...labels, http_response_status_code: status }))!;
  expect(valuesFor('200').map(({ value }) => value)).toEqual([2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 6, 21.8111, 6]);
  expect(valuesFor('304').map(({ value }) => value)).toEqual([...Array(15).fill(1), 0.001, 1]);
});

test('quotes, backslashes and newlines in a label of a metric are escaped', async () => {
  const metrics = new Metrics();
  metrics.observe('/"\\\n', 'GET', 200, 1);
  const [sample] = parseMetrics(await metrics.text()).get(DURATION)!.samples;
  expect(sample!.labels['http_route']).toBe('/\\"\\\\\\n');
});

describe('On a running shop', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    shop = await startShop({ env: { DEMO: 'on' } });
  });
  afterAll(() => shop.close());

  it("the metrics have Prometheus's text format, and include metrics of the process", async () => {
    for (const path of ['/tool', '/', '/tool/none', '/assets/none.js', '/metrics']) await fetch(shop.origin + path);
    const response = await fetch(`${shop.origin}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const families = parseMetrics(await response.text());
    checkHistogram(families.get(DURATION)!);
    const routes = families.get(DURATION)!.samples.map(({ labels }) => labels['http_route']);
    expect([...new Set(routes)]).toEqual(expect.arrayContaining(['/tool', '/tool/:id', 'page', '/metrics']));
    const valueOf = (name: string) => families.get(name)!.samples.map(({ value }) => value);
    const delays = valueOf('nodejs_eventloop_delay_seconds');
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(valueOf('nodejs_eventloop_time_seconds_total')).toHaveLength(2);
    expect(valueOf('process_resident_memory_bytes')[0]).toBeGreaterThan(valueOf('nodejs_heap_size_used_bytes')[0]!);
    expect(valueOf('nodejs_active_resources')[0]).toBeGreaterThan(0);
    expect(Math.abs(valueOf('process_start_time_seconds')[0]! * 1000 - Date.now())).toBeLessThan(3_600_000);
  });

  it('durations are in seconds', async () => {
    const readSum = async () => {
      const families = parseMetrics(await (await fetch(`${shop.origin}/metrics`)).text());
      const samples = families.get(DURATION)!.samples.filter(({ labels }) => labels['http_route'] === '/tool/:id');
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
    const families = parseMetrics(await (await fetch(`${shop.origin}/metrics`)).text());
    const valuesOf = (name: string) => families.get(name)!.samples.map(({ value }) => value);
    const [cpu] = valuesOf('process_cpu_seconds_total');
    expect([cpu! >= cpuBefore, cpu! <= cpuSeconds()]).toEqual([true, true]);
    const [external] = valuesOf('nodejs_external_memory_bytes');
    expect([external! > 1_000_000, external! <= process.memoryUsage.rss() * 2]).toEqual([true, true]);
    expect(valuesOf('nodejs_heap_size_total_bytes')[0]).toBeGreaterThan(valuesOf('nodejs_heap_size_used_bytes')[0]!);
    const delays = families.get('nodejs_eventloop_delay_seconds')!.samples;
    expect(delays.map(({ labels }) => labels['quantile'])).toEqual(['0.5', '0.99', '1']);
    // On an idle machine, no delay is long enough to be measured.
    expect(delays.at(-1)!.value).toBeGreaterThanOrEqual(0);
    expect(delays.at(-1)!.value).toBeLessThan(60);
    const times = families.get('nodejs_eventloop_time_seconds_total')!.samples;
    expect(times.map(({ labels }) => labels['nodejs_eventloop_state'])).toEqual(['active', 'idle']);
    const sum = times.reduce((total, { value }) => total + value, 0);
    expect([sum >= loopBefore, sum <= loopSeconds()]).toEqual([true, true]);
  });
});
