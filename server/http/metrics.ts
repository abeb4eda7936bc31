import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The buckets that OpenTelemetry recommends for `http.server.request.duration`, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** A single number, or a number for each value of a label, such as `{ idle: 1 }` for the label `state`. */
type MetricValue = number | Record<string, number>;
type ReadMetric = () => MetricValue | Promise<MetricValue>;

/** Counts requests. The other metrics are read at each scrape. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP server requests.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  /**
   * Records the duration of one request.
   * @param route the URL pattern and not the URL, so that there are only as many metrics as routes
   */
  observe(route: string, method: string, status: number, seconds: number): void {
    this.durations.observe(
      { http_request_method: method, http_route: route, http_response_status_code: status },
      seconds,
    );
  }

  /** @param label needed if `read` returns a number for each of its values */
  addGauge(name: string, help: string, read: ReadMetric, label?: string): void {
    new Gauge({
      ...this.optionsOf(name, help, label),
      async collect() {
        const value = await read();
        if (typeof value === 'number') return this.set(value);
        for (const [labelValue, number] of Object.entries(value)) this.set({ [label!]: labelValue }, number);
      },
    });
  }

  /** Adds a counter whose value is read on each scrape. */
  addCounter(name: string, help: string, read: ReadMetric, label?: string): void {
    new Counter({
      ...this.optionsOf(name, help, label),
      async collect() {
        const value = await read();
        this.reset();
        if (typeof value === 'number') return this.inc(value);
        for (const [labelValue, number] of Object.entries(value)) this.inc({ [label!]: labelValue }, number);
      },
    });
  }

  /** @returns a function that increments the counter by one */
  createCounter(name: string, help: string): () => void {
    const counter = new Counter(this.optionsOf(name, help));
    return () => counter.inc();
  }

  /** Reads one metric after the other, so that a scrape needs only one connection to the database. */
  async text(): Promise<string> {
    let text = '';
    for (const { name } of this.registry.getMetricsAsArray())
      text += `${await this.registry.getSingleMetricAsString(name)}\n`;
    return text;
  }

  private optionsOf(name: string, help: string, label?: string) {
    return { name, help, labelNames: label === undefined ? [] : [label], registers: [this.registry] };
  }
}
