const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  count: number;
  sum: number;
  buckets: number[];
}

/** Counters of requests in Prometheus text; what is asked of the database is read when it is asked. */
export class Metrics {
  private readonly requests = new Map<string, Series>();
  private readonly byRoute = new Map<string, Map<string, Series>>();
  private readonly counters = new Map<string, { help: string; count: number }>();
  private readonly gauges = new Map<string, { help: string; read: () => number | Promise<number> }>();

  observe(route: string, method: string, status: number, seconds: number): void {
    const series = this.seriesOf(route, method, status);
    series.count++;
    series.sum += seconds;
    const slot = BUCKETS.findIndex((bound) => seconds <= bound);
    if (slot >= 0) series.buckets[slot]!++;
  }

  private seriesOf(route: string, method: string, status: number): Series {
    let ofRoute = this.byRoute.get(route);
    if (!ofRoute) this.byRoute.set(route, (ofRoute = new Map()));
    const kind = `${method}${status}`;
    const found = ofRoute.get(kind);
    if (found) return found;
    const series = { count: 0, sum: 0, buckets: BUCKETS.map(() => 0) };
    ofRoute.set(kind, series);
    this.requests.set(`method="${method}",route="${route}",status="${status}"`, series);
    return series;
  }

  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.gauges.set(name, { help, read });
  }

  /** @returns adds one */
  counter(name: string, help: string): () => void {
    const counter = { help, count: 0 };
    this.counters.set(name, counter);
    return () => void counter.count++;
  }

  async text(): Promise<string> {
    const lines = [
      '# HELP forgeline_http_request_seconds Time to answer.',
      '# TYPE forgeline_http_request_seconds histogram',
    ];
    for (const [labels, { count, sum, buckets }] of this.requests) {
      let below = 0;
      BUCKETS.forEach((bound, i) => {
        below += buckets[i]!;
        lines.push(`forgeline_http_request_seconds_bucket{${labels},le="${bound}"} ${below}`);
      });
      lines.push(`forgeline_http_request_seconds_bucket{${labels},le="+Inf"} ${count}`);
      lines.push(`forgeline_http_request_seconds_sum{${labels}} ${sum.toFixed(6)}`);
      lines.push(`forgeline_http_request_seconds_count{${labels}} ${count}`);
    }
    for (const [name, { help, count }] of this.counters)
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`, `${name} ${count}`);
    for (const [name, { help, read }] of this.gauges)
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${await read()}`);
    return `${lines.join('\n')}\n`;
  }
}
