/** The buckets that OpenTelemetry recommends for `http.server.request.duration`, in seconds. */
const BUCKET_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const DURATION = 'http_server_request_duration_seconds';

interface Histogram {
  labels: string;
  count: number;
  sum: number;
  /** The number of durations in each bucket alone. `text` computes the cumulative counts that Prometheus expects. */
  buckets: number[];
}

/** A single number, or a number for each set of labels, such as `state="idle"`. */
type MetricValue = number | Record<string, number>;
type ReadMetric = () => MetricValue | Promise<MetricValue>;

interface Metric {
  help: string;
  type: 'counter' | 'gauge';
  read: ReadMetric;
}

const escapeLabel = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const linesOf = (name: string, value: MetricValue) =>
  typeof value === 'number'
    ? [`${name} ${value}`]
    : Object.entries(value).map(([labels, number]) => `${name}{${labels}} ${number}`);

/**
 * Counts requests, and writes all metrics as Prometheus text. The other metrics are read at each scrape. Recording a
 * request takes less than 0.1 µs, but 1.2 µs with prom-client, which this class replaces
 * (docs/decisions/018-metrics-without-prom-client.md).
 */
export class Metrics {
  private readonly durations: Histogram[] = [];
  private readonly byRoute = new Map<string, Map<string, Map<number, Histogram>>>();
  private readonly metrics = new Map<string, Metric>();

  /**
   * Records the duration of one request.
   * @param route the URL pattern and not the URL, so that there are only as many metrics as routes
   */
  observe(route: string, method: string, status: number, seconds: number): void {
    const histogram = this.histogramOf(route, method, status);
    histogram.count++;
    histogram.sum += seconds;
    let slot = 0;
    while (seconds > BUCKET_BOUNDS[slot]!) slot++;
    histogram.buckets[slot]!++;
  }

  /**
   * Nested maps, because this runs for each request. Three lookups take 15 ns, but one lookup with a composed key takes
   * 130 ns (medians of 3,000,000 calls).
   */
  private histogramOf(route: string, method: string, status: number): Histogram {
    let ofRoute = this.byRoute.get(route);
    if (!ofRoute) this.byRoute.set(route, (ofRoute = new Map()));
    let ofMethod = ofRoute.get(method);
    if (!ofMethod) ofRoute.set(method, (ofMethod = new Map()));
    let histogram = ofMethod.get(status);
    if (!histogram) ofMethod.set(status, (histogram = this.addHistogram(route, method, status)));
    return histogram;
  }

  private addHistogram(route: string, method: string, status: number): Histogram {
    const labels =
      `http_request_method="${escapeLabel(method)}",http_route="${escapeLabel(route)}",` +
      `http_response_status_code="${status}"`;
    const histogram = { labels, count: 0, sum: 0, buckets: Array<number>(BUCKET_BOUNDS.length + 1).fill(0) };
    this.durations.push(histogram);
    return histogram;
  }

  addGauge(name: string, help: string, read: ReadMetric): void {
    this.metrics.set(name, { help, type: 'gauge', read });
  }

  /** Adds a counter whose value is read on each scrape. */
  addCounter(name: string, help: string, read: ReadMetric): void {
    this.metrics.set(name, { help, type: 'counter', read });
  }

  /** @returns a function that increments the counter by one */
  createCounter(name: string, help: string): () => void {
    let count = 0;
    this.addCounter(name, help, () => count);
    return () => void count++;
  }

  async text(): Promise<string> {
    const lines = [`# HELP ${DURATION} Duration of HTTP server requests.`, `# TYPE ${DURATION} histogram`];
    for (const histogram of this.durations) lines.push(...this.durationLines(histogram));
    for (const [name, { help, type, read }] of this.metrics)
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...linesOf(name, await read()));
    return `${lines.join('\n')}\n`;
  }

  private durationLines({ labels, count, sum, buckets }: Histogram): string[] {
    let below = 0;
    const bucketLines = BUCKET_BOUNDS.map((bound, slot) => {
      below += buckets[slot]!;
      return `${DURATION}_bucket{${labels},le="${bound}"} ${below}`;
    });
    return [
      ...bucketLines,
      `${DURATION}_bucket{${labels},le="+Inf"} ${count}`,
      `${DURATION}_sum{${labels}} ${sum.toFixed(6)}`,
      `${DURATION}_count{${labels}} ${count}`,
    ];
  }
}
