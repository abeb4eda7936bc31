import { findDisplayProblems, findTreeProblems, setDisplay, measureLayoutShift } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { waitUntilInteractive } from '../../support/session';

const fixture = browserFixture();

/** Opens a page on a phone whose connection delivers the font only after the text has been painted. */
async function open(path: string) {
  const { page } = fixture;
  let releaseFont = () => {};
  const gate = new Promise<void>((resolve) => (releaseFont = resolve));
  await page.route('**/*.woff2', (route) => gate.then(() => route.continue()));
  await setDisplay(page, 'light', 360);
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  await page.evaluate(
    () => new Promise((resolve) => new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })),
  );
  releaseFont();
  await waitUntilInteractive(page);
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const _ of '12') await new Promise(requestAnimationFrame);
  });
}

test.each(['/', '/blogs', '/about', '/nowhere'])(
  'the page %s loads on a phone without layout shift, has landmarks, is accessible and fits every display',
  async (path) => {
    await open(path);
    expect(await measureLayoutShift(fixture.page)).toBeLessThanOrEqual(0.01);
    expect(await findTreeProblems(fixture.page)).toEqual([]);
    expect(await findDisplayProblems(fixture.page, path)).toEqual([]);
  },
);

// `browser/auth/session.errors` checks the accessibility of these pages, with their errors shown.
test.each(['/login', '/signup'])(
  'the page %s loads on a phone without layout shift and has landmarks',
  async (path) => {
    await open(path);
    expect(await measureLayoutShift(fixture.page)).toBeLessThanOrEqual(0.01);
    expect(await findTreeProblems(fixture.page)).toEqual([]);
  },
);
