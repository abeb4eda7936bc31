import { setDisplay, problemsOnAnyDisplay } from '../../support/assertions';
import { browserFixture } from '../../support/browser';

const fixture = browserFixture();

async function open(path: string) {
  const { page } = fixture;
  await page.addInitScript(() => {
    Object.assign(window, { layoutShift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) (window as unknown as { layoutShift: number }).layoutShift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await setDisplay(page, 'light', 360);
  await page.goto(path, { waitUntil: 'networkidle' });
}

const readLayoutShift = () => fixture.page.evaluate(() => (window as unknown as { layoutShift: number }).layoutShift);

test.each(['/', '/blogs', '/about', '/nowhere'])(
  '%s loads on a phone without layout shift, is accessible and fits every display',
  async (path) => {
    await open(path);
    expect(await readLayoutShift()).toBeLessThanOrEqual(0.01);
    expect(await problemsOnAnyDisplay(fixture.page, path)).toEqual([]);
  },
);

// Their accessibility is checked with their errors shown, in `browser/auth/session.errors`.
test.each(['/login', '/signup'])('%s loads on a phone without layout shift', async (path) => {
  await open(path);
  expect(await readLayoutShift()).toBeLessThanOrEqual(0.01);
});
