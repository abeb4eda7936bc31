/* global window, PerformanceObserver */
import { setTimeout } from 'node:timers/promises';
import { PHONE, CPU_SLOWDOWN } from './emulatedUser.mjs';

const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const QUIET_MS = 2000;
const LONG_TASK_MS = 50;

/** Runs in the page before its own scripts. */
function installObservers() {
  const metrics = { firstPaint: 0, largestPaint: 0, layoutShift: 0, tasks: [], hydratedAt: 0 };
  const observe = (type, record) =>
    new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({ type, buffered: true });
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') metrics.firstPaint = entry.startTime;
  });
  observe('largest-contentful-paint', (entry) => (metrics.largestPaint = entry.startTime));
  observe('layout-shift', (entry) => (metrics.layoutShift += entry.hadRecentInput ? 0 : entry.value));
  observe('longtask', ({ startTime, duration }) => metrics.tasks.push({ startTime, duration }));
  window.addEventListener('hydrated', () => (metrics.hydratedAt ||= window.performance.now()));
  window.metrics = metrics;
}

/** @returns a function that waits until the network has been idle for 2 s */
async function watchNetwork(cdp) {
  let lastActivity = performance.now();
  for (const event of ['dataReceived', 'loadingFinished'])
    cdp.on(`Network.${event}`, () => (lastActivity = performance.now()));
  await cdp.send('Network.enable');
  return async () => {
    while (performance.now() - lastActivity < QUIET_MS) await setTimeout(100);
  };
}

/**
 * Runs in the page.
 * @returns the downloaded files with their compressed size, without response headers
 */
const listDownloadedFiles = () =>
  performance
    .getEntriesByType('resource')
    .map(({ name, encodedBodySize, responseEnd }) => ({ name, bytes: encodedBodySize, at: responseEnd }));

const measureBlocking = ({ tasks, firstPaint }) =>
  tasks
    .filter(({ startTime }) => startTime + LONG_TASK_MS > firstPaint)
    .reduce((sum, { duration }) => sum + Math.max(0, duration - LONG_TASK_MS), 0);

export async function emulateSlowPhone(cdp) {
  await cdp.send('Network.emulateNetworkConditions', NETWORK);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

/**
 * Simulates a first visit from a phone whose CPU is four times slower than this machine's, at 1.6 Mbit/s and 150 ms
 * latency.
 */
export async function visitPage(browser, url, { withoutScripts = false } = {}) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const waitUntilQuiet = await watchNetwork(cdp);
  await emulateSlowPhone(cdp);
  await page.addInitScript(installObservers);
  await page.goto(url, { waitUntil: 'load' });
  if (!withoutScripts) await page.waitForFunction(() => window.metrics.hydratedAt > 0);
  await waitUntilQuiet();
  const metrics = await page.evaluate(() => window.metrics);
  const files = await page.evaluate(listDownloadedFiles);
  const filesWith = (ending) => files.filter(({ name }) => name.endsWith(ending));
  await context.close();
  return { ...metrics, blocking: measureBlocking(metrics), scripts: filesWith('.js'), fonts: filesWith('.woff2') };
}
