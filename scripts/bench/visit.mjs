/* global window, PerformanceObserver */
import { setTimeout } from 'node:timers/promises';

const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWER = 4;
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
  window.addEventListener('alive', () => (seen.alive ||= window.performance.now()));
  window.seen = seen;
}

/** What came over the line, by kind; `idle` is asked once nothing has come for a while. */
async function countTraffic(cdp) {
  const kinds = new Map();
  const came = [];
  let last = performance.now();
  cdp.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  cdp.on('Network.dataReceived', () => (last = performance.now()));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    last = performance.now();
    came.push({ kind: kinds.get(requestId), bytes: encodedDataLength, timestamp });
  });
  await cdp.send('Network.enable');
  const idle = async () => {
    while (performance.now() - last < QUIET_MS) await setTimeout(100);
  };
  return { came, idle };
}

const blocking = ({ tasks, first }) =>
  tasks
    .filter(({ startTime }) => startTime + LONG_TASK_MS > first)
    .reduce((sum, { duration }) => sum + Math.max(0, duration - LONG_TASK_MS), 0);

/** One first visit of a telephone four times slower than this machine, on a line of 1.6 Mbit/s and 150 ms. */
export async function visit(browser, url, { bare = false } = {}) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const traffic = await countTraffic(cdp);
  let began;
  cdp.on('Network.requestWillBeSent', ({ timestamp }) => (began ??= timestamp));
  await cdp.send('Network.emulateNetworkConditions', LINE);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(watch);
  await page.goto(url, { waitUntil: 'load' });
  if (!bare) await page.waitForFunction(() => window.seen.alive > 0);
  await traffic.idle();
  const seen = await page.evaluate(() => window.seen);
  const of = (kind) => traffic.came.filter((file) => file.kind === kind);
  const scripts = of('Script').map(({ bytes, timestamp }) => ({ bytes, at: (timestamp - began) * 1000 }));
  await context.close();
  return { ...seen, blocking: blocking(seen), scripts, fonts: of('Font') };
}
