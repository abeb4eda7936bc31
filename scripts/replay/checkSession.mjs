import { serveSession } from './serveSession.mjs';

/** A page loads its lower part when the browser is idle, or after two seconds at the latest. This is longer. */
const STABLE_MS = 3000;
const READ_INTERVAL_MS = 100;

const goToStep = (page, step) =>
  page
    .evaluate((index) => globalThis.replayTo(index), step)
    .then(() => page.locator(`[data-step="${step}"]`).waitFor({ state: 'attached' }));

function trackRequests(page) {
  const pending = new Set();
  page.on('request', (request) => pending.add(request));
  for (const event of ['requestfinished', 'requestfailed']) page.on(event, (request) => pending.delete(request));
  return pending;
}

/**
 * Waits until the page is stable, because chunks that load after a step change it.
 * @returns the difference from the recorded page, or undefined
 */
async function comparePage(page, pending, outline) {
  let lastDifference;
  let matchingReads = 0;
  for (let unchangedMs = 0; unchangedMs < STABLE_MS; unchangedMs += READ_INTERVAL_MS) {
    const difference = await page.evaluate((marks) => globalThis.findPageDifference(marks), outline);
    matchingReads = difference || pending.size > 0 ? 0 : matchingReads + 1;
    if (matchingReads === 2) return undefined;
    if (difference !== lastDifference || pending.size > 0) unchangedMs = 0;
    lastDifference = difference;
    await page.waitForTimeout(READ_INTERVAL_MS);
  }
  return lastDifference;
}

/** @returns the first recorded page, in the given order of steps, that the replay does not show */
async function findPageDifference(page, pending, steps, outlineAt) {
  for (const step of steps) {
    await goToStep(page, step);
    const difference = outlineAt.has(step) && (await comparePage(page, pending, outlineAt.get(step)));
    if (difference) return { step, difference };
  }
  return undefined;
}

async function replay(page, session) {
  const pending = trackRequests(page);
  await page.goto('/');
  await page.getByLabel('Replay', { exact: true }).waitFor();
  const replayed = await page.evaluate(() => globalThis.replayed);
  const nameOf = (step) => `Step ${step + 1} (${replayed[step].action.type})`;
  const differing = replayed.findIndex(({ isSame }) => !isSame);
  if (differing >= 0) return `${nameOf(differing)} ends in a different state than the recorded one.`;
  const outlineAt = new Map(session.pages.map(([step, outline]) => [step, session.outlines[outline]]));
  const steps = replayed.map((_, index) => index);
  const forward = await findPageDifference(page, pending, steps, outlineAt);
  if (forward) return `${nameOf(forward.step)} shows a different page than the customer's:\n${forward.difference}`;
  const backward = await findPageDifference(page, pending, [...outlineAt.keys()].reverse(), outlineAt);
  return (
    backward &&
    `${nameOf(backward.step)} shows a different page than the customer's when the replay goes back to it:\n${backward.difference}`
  );
}

/**
 * @returns a sentence about the first step that ends in another state or on another page than recorded, or undefined
 */
export async function findReplayDifference(browser, session) {
  const { server, origin } = await serveSession(session);
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce' });
  try {
    return await replay(await context.newPage(), session);
  } finally {
    await context.close();
    server.close();
  }
}
