/* global window */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { launchChromium } from '../../scripts/chromium.mjs';
import { root } from '../../scripts/install.mjs';
import { PASSWORD } from './customers.mjs';
import { startShop } from './shop.mjs';
import { emulateSlowPhone } from './visitPage.mjs';

export const title = "The buyer's way (phone, CPU four times slower, 1.6 Mbit/s, 150 ms; the shortest of three waits)";
export const columns = ['Step', 'wait, ms', 'target', 'presses', 'KB', 'requests'];

const FORGELINE = join(root, 'tools/bench/way.json');
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
const RUNS = 3;
const STEP_MS = 1500;
const VISITS = { first: 6000, second: 2500 };
/** A customer reads each page before the next press. Waits do not include this. */
const READING_MS = 1000;
const STEP_TIMEOUT_MS = 60_000;

/** Counts what the page receives. A response from the browser's cache has no bytes. */
async function countTraffic(cdp) {
  const traffic = { bytes: 0, requests: 0 };
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.bytes += encodedDataLength;
    traffic.requests += encodedDataLength > 0 ? 1 : 0;
  });
  await cdp.send('Network.enable');
  return traffic;
}

/** Fills in the fields that the shop has not filled in. @returns the number of taps into fields */
async function fillFields(page, { frame, fill = {} }, resolve) {
  const place = frame ? page.frameLocator(frame) : page;
  let taps = 0;
  for (const [selector, text] of Object.entries(fill)) {
    const field = place.locator(selector);
    if ((await field.inputValue()) !== '') continue;
    await field.fill(resolve(text));
    taps += 1;
  }
  return taps;
}

/** Scrolls to the target first, because a customer does that before the press. */
async function locate(target) {
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await target.boundingBox();
  return [x + width / 2, y + height / 2];
}

async function takeStep(page, step, resolve) {
  const taps = await fillFields(page, step, resolve);
  await setTimeout(READING_MS);
  const position = step.press && (await locate(page.locator(step.press)));
  const startedAt = performance.now();
  await (position ? page.touchscreen.tap(...position) : page.goto(resolve(step.open), { waitUntil: 'commit' }));
  await page.locator(step.ready).waitFor();
  return { wait: performance.now() - startedAt, presses: taps + 1 };
}

async function visit(context, steps, resolve) {
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  const cdp = await context.newCDPSession(page);
  const traffic = await countTraffic(cdp);
  await emulateSlowPhone(cdp);
  const results = [];
  for (const step of steps) {
    const before = { ...traffic };
    const result = await takeStep(page, step, resolve).catch((error) => {
      throw new Error(`The step "${step.step}" at ${page.url()} failed: ${error.message}`, { cause: error });
    });
    // Until the next step, the page may load more in advance.
    await setTimeout(READING_MS);
    results.push({
      ...result,
      bytes: traffic.bytes - before.bytes,
      requests: traffic.requests - before.requests,
    });
  }
  // The next visit finds the browser's cache, but no session.
  await page.evaluate(() => window.localStorage.clear());
  await context.clearCookies();
  await page.close();
  return results;
}

/** A new customer comes twice with the same browser. */
async function measureRun(browser, steps, tool) {
  const context = await browser.newContext(PHONE);
  const values = { tool, email: `way-${Date.now().toString(36)}@bench.example`, password: PASSWORD };
  const resolve = (text) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const results = {};
  try {
    for (const name of Object.keys(VISITS)) results[name] = await visit(context, stepsOf(steps, name), resolve);
  } finally {
    await context.close();
  }
  return results;
}

const stepsOf = (steps, name) => steps.filter((step) => step.visit === undefined || step.visit === name);
const sum = (results, key) => results.reduce((total, result) => total + result[key], 0);
const shortest = (results) => results.reduce((best, result) => (result.wait < best.wait ? result : best));

function createLine(label, { wait, presses, bytes, requests }, target) {
  const cells = [label, Math.round(wait), `<= ${target}`, presses, (bytes / 1000).toFixed(1), requests];
  return { cells, ok: wait <= target };
}

function* createLines(steps, name, runs) {
  const best = stepsOf(steps, name).map((_, i) => shortest(runs.map((run) => run[name][i])));
  for (const [i, { step }] of stepsOf(steps, name).entries())
    yield createLine(`${name} visit: ${step}`, best[i], STEP_MS);
  const totals = ['wait', 'presses', 'bytes', 'requests'].map((key) => [key, sum(best, key)]);
  yield createLine(`${name} visit: all`, Object.fromEntries(totals), VISITS[name]);
}

async function* measureShop(origin, tool, steps) {
  const browser = await launchChromium();
  try {
    const runs = [];
    for (let i = 0; i < RUNS; i++) runs.push(await measureRun(browser, steps, new URL(tool, origin).href));
    for (const name of Object.keys(VISITS)) yield* createLines(steps, name, runs);
  } finally {
    await browser.close();
  }
}

/** Without `shop`, the address of a tool at any shop, starts Forgeline. */
export async function* measure({ shop: url, selectors = FORGELINE }) {
  const steps = JSON.parse(readFileSync(selectors, 'utf8'));
  if (url) return yield* measureShop(url, url, steps);
  const shop = await startShop({ env: { RATE_LIMIT: 'off' } });
  try {
    const [{ _id }] = await (await fetch(`${shop.origin}/tool`)).json();
    yield* measureShop(shop.origin, `/home?tool=${_id}`, steps);
  } finally {
    await shop.stop();
  }
}
