/* global window, document, location, PerformanceObserver, MutationObserver, requestAnimationFrame, requestIdleCallback, scheduler */
import { launchChromiumWithProfile } from '../../scripts/chromium.mjs';
import { createTempFolder } from './shop.mjs';

export const CPU_SLOWDOWN = 4;
const TIMEOUT_MS = 300_000;
/** How long the user holds the mouse button down for a click. */
const PRESS_MS = 60;

export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };

/**
 * Runs in the page before its scripts. `takeLongest` returns the duration of the longest task and that of the longest
 * event since its last call.
 */
function installObservers() {
  const observe = (type, more) => {
    const entries = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
    observer.observe({ type, ...more });
    return () => Math.max(0, ...[...entries.splice(0), ...observer.takeRecords()].map(({ duration }) => duration));
  };
  const [task, event] = [observe('longtask'), observe('event', { durationThreshold: 16 })];
  window.takeLongest = () => ({ task: task(), event: event() });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  window.waitForIdleFrame = async () => {
    for (let i = 0; i < 2; i++) await frame();
    await new Promise((idle) => requestIdleCallback(idle));
  };
  /** @returns the milliseconds from the next click until a frame shows the heading of the page at `path` */
  window.measureArrival = (path) => {
    const oldHeading = document.querySelector('h1');
    return new Promise((resolve) => {
      let clicked;
      window.addEventListener('click', ({ timeStamp }) => (clicked = timeStamp), { capture: true, once: true });
      const observer = new MutationObserver(() => {
        const heading = document.querySelector('h1');
        if (location.pathname !== path || !heading || heading === oldHeading) return;
        observer.disconnect();
        requestAnimationFrame(() =>
          scheduler.postTask(() => resolve(window.performance.now() - clicked), { priority: 'user-blocking' }),
        );
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
  };
}

/**
 * Opens a page on a phone or a desktop computer. The CPU becomes four times slower when `slowDownCpu` is called. Call
 * `locate`, which returns the middle of an element, before a measurement, so that its work is not measured.
 */
export async function openEmulatedUser(origin, device) {
  const context = await launchChromiumWithProfile(createTempFolder(), { baseURL: origin, ...device });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  let openRequests = 0;
  page.on('request', () => openRequests++);
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, () => openRequests--);
  const cdp = await context.newCDPSession(page);
  await page.addInitScript(installObservers);

  const waitForIdleFrame = () => page.evaluate(() => window.waitForIdleFrame());
  async function waitUntilIdle() {
    do await waitForIdleFrame();
    while (openRequests > 0);
    await waitForIdleFrame();
  }
  const locate = async (target) => {
    // Twice, because rows that come near the viewport get their real heights only then.
    for (let i = 0; i < 2; i++) {
      await target.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      await waitForIdleFrame();
    }
    const { x, y, width, height } = await target.boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  /**
   * @returns the durations in milliseconds of the longest task during `work`, and of the longest event up to its next
   * frame
   */
  async function measure(work) {
    await waitUntilIdle();
    await page.evaluate(() => window.takeLongest());
    await work();
    await waitUntilIdle();
    return page.evaluate(() => window.takeLongest());
  }
  const slowDownCpu = () => cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const press = ({ x, y }) =>
    device.hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y, { delay: PRESS_MS });
  return { page, context, waitUntilIdle, measure, locate, press, slowDownCpu };
}
