/* global window, document, location, PerformanceObserver, MutationObserver, requestAnimationFrame, requestIdleCallback, scheduler */
import { openOwnChromium } from '../scripts/chromium.mjs';
import { newFolder } from './shop.mjs';

export const SLOWER = 4;
const PATIENCE_MS = 300_000;
/** A finger is not off the button in the moment in which it came down. */
const PRESS_MS = 60;

export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
export const DESK = { viewport: { width: 1280, height: 800 } };

/** Runs in the page before all else: `taken` answers what has happened since it was asked before. */
function watch() {
  const watched = (type, more) => {
    const kept = [];
    const observer = new PerformanceObserver((list) => kept.push(...list.getEntries()));
    observer.observe({ type, ...more });
    return () => Math.max(0, ...[...kept.splice(0), ...observer.takeRecords()].map(({ duration }) => duration));
  };
  const [task, event] = [watched('longtask'), watched('event', { durationThreshold: 16 })];
  window.taken = () => ({ task: task(), event: event() });
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  window.settled = async () => {
    for (let i = 0; i < 2; i++) await frame();
    await new Promise((idle) => requestIdleCallback(idle));
  };
  /** Milliseconds from the next click until the frame is drawn in which another page's heading stands. */
  window.arrival = (path) => {
    const left = document.querySelector('h1');
    return new Promise((arrived) => {
      let clicked;
      window.addEventListener('click', ({ timeStamp }) => (clicked = timeStamp), { capture: true, once: true });
      const look = new MutationObserver(() => {
        const heading = document.querySelector('h1');
        if (location.pathname !== path || !heading || heading === left) return;
        look.disconnect();
        requestAnimationFrame(() =>
          scheduler.postTask(() => arrived(window.performance.now() - clicked), { priority: 'user-blocking' }),
        );
      });
      look.observe(document.body, { childList: true, subtree: true });
    });
  };
}

/** A visitor whose processor is four times slower; what a driver's search would cost in the page is not in a deed. */
export async function newPerson(origin, device) {
  const context = await openOwnChromium(newFolder(), { baseURL: origin, ...device });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  let underWay = 0;
  page.on('request', () => underWay++);
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, () => underWay--);
  const cdp = await context.newCDPSession(page);
  await page.addInitScript(watch);

  const settle = () => page.evaluate(() => window.settled());
  async function rest() {
    do await settle();
    while (underWay > 0);
    await settle();
  }
  const placeOf = async (target) => {
    await target.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const { x, y, width, height } = await target.boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  /** The longest task, and the longest from an event to the frame that answers it, while `act` is done. */
  async function during(act) {
    await rest();
    await page.evaluate(() => window.taken());
    await act();
    await rest();
    return page.evaluate(() => window.taken());
  }
  const slowDown = () => cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const press = ({ x, y }) =>
    device.hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y, { delay: PRESS_MS });
  return { page, context, rest, during, placeOf, press, slowDown };
}
