/* global window, PerformanceObserver */
import { setTimeout } from 'node:timers/promises';
import { PHONE, SLOWER } from './person.mjs';

const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const QUIET_MS = 2000;
const LONG_TASK_MS = 50;

/** Runs in the page before all else. */
function watch() {
  const seen = { first: 0, largest: 0, moved: 0, tasks: [], alive: 0 };
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.first = entry.startTime;
  });
  observe('largest-contentful-paint', (entry) => (seen.largest = entry.startTime));
  observe('layout-shift', (entry) => (seen.moved += entry.hadRecentInput ? 0 : entry.value));
  observe('longtask', ({ startTime, duration }) => seen.tasks.push({ startTime, duration }));
  window.addEventListener('hydrated', () => (seen.alive ||= window.performance.now()));
  window.seen = seen;
}

/** Answers how to wait until nothing has come over the line for a while. */
async function watchLine(cdp) {
  let last = performance.now();
  for (const event of ['dataReceived', 'loadingFinished']) cdp.on(`Network.${event}`, () => (last = performance.now()));
  await cdp.send('Network.enable');
  return async () => {
    while (performance.now() - last < QUIET_MS) await setTimeout(100);
  };
}

/** Runs in the page: what came, packed as it came and without the heads of the answers. */
const filesThatCame = () =>
  performance
    .getEntriesByType('resource')
    .map(({ name, encodedBodySize, responseEnd }) => ({ name, bytes: encodedBodySize, at: responseEnd }));

const blocking = ({ tasks, first }) =>
  tasks
    .filter(({ startTime }) => startTime + LONG_TASK_MS > first)
    .reduce((sum, { duration }) => sum + Math.max(0, duration - LONG_TASK_MS), 0);

/** One first visit of a telephone four times slower than this machine, on a line of 1.6 Mbit/s and 150 ms. */
export async function visit(browser, url, { bare = false } = {}) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const whenIdle = await watchLine(cdp);
  await cdp.send('Network.emulateNetworkConditions', LINE);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(watch);
  await page.goto(url, { waitUntil: 'load' });
  if (!bare) await page.waitForFunction(() => window.seen.alive > 0);
  await whenIdle();
  const seen = await page.evaluate(() => window.seen);
  const files = await page.evaluate(filesThatCame);
  const of = (ending) => files.filter(({ name }) => name.endsWith(ending));
  await context.close();
  return { ...seen, blocking: blocking(seen), scripts: of('.js'), fonts: of('.woff2') };
}
