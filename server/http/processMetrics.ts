import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Metrics } from './metrics';

/**
 * Node samples the event loop's delay at this interval. Each sample contains the interval itself, so it is subtracted.
 */
const SAMPLE_INTERVAL_MS = 20;
const SAMPLE_INTERVAL_NS = SAMPLE_INTERVAL_MS * 1e6;

const toSeconds = (milliseconds: number) => milliseconds / 1000;

/**
 * Adds metrics of the Node process, under the names that dashboards for OpenTelemetry and Prometheus expect.
 * @returns a function that stops the measurements
 */
export function addProcessMetrics(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL_MS });
  delay.enable();
  const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds - SAMPLE_INTERVAL_NS) / 1e9;

  const readDelays = () => {
    const [p50, p99, max] = [delay.percentile(50), delay.percentile(99), delay.max].map(delayOf);
    delay.reset();
    return { '0.5': p50!, '0.99': p99!, '1': max! };
  };
  metrics.addGauge(
    'nodejs_eventloop_delay_seconds',
    'Delay of the event loop since the last scrape.',
    readDelays,
    'quantile',
  );
  const readLoopTimes = () => {
    const { active, idle } = performance.eventLoopUtilization();
    return { active: toSeconds(active), idle: toSeconds(idle) };
  };
  metrics.addCounter(
    'nodejs_eventloop_time_seconds_total',
    'Time for which the event loop was active or idle.',
    readLoopTimes,
    'nodejs_eventloop_state',
  );
  metrics.addCounter('process_cpu_seconds_total', 'CPU time of the process, user and system.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.addGauge('process_start_time_seconds', 'Start time of the process since the Unix epoch.', () =>
    toSeconds(performance.timeOrigin),
  );
  metrics.addGauge('process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss());
  metrics.addGauge(
    'nodejs_heap_size_used_bytes',
    'JavaScript heap memory in use.',
    () => process.memoryUsage().heapUsed,
  );
  metrics.addGauge(
    'nodejs_heap_size_total_bytes',
    'Size of the JavaScript heap.',
    () => process.memoryUsage().heapTotal,
  );
  metrics.addGauge(
    'nodejs_external_memory_bytes',
    'Memory of buffers outside of the heap.',
    () => process.memoryUsage().external,
  );
  metrics.addGauge(
    'nodejs_active_resources',
    'Open handles, requests and timers.',
    () => process.getActiveResourcesInfo().length,
  );

  return () => void delay.disable();
}
