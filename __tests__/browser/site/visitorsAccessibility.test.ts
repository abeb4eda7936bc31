import { setDisplay, problemsOnAnyDisplay } from '../../support/assertions';
import { browserFixture } from '../../support/browser';

const fixture = browserFixture();

async function open(path: string) {
  const { page } = fixture;
  await page.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) (window as unknown as { moved: number }).moved += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await setDisplay(page, 'light', 360);
  await page.goto(path, { waitUntil: 'networkidle' });
}

const moved = () => fixture.page.evaluate(() => (window as unknown as { moved: number }).moved);

test.each(['/', '/blogs', '/about', '/nowhere'])(
  '%s: nothing moves while it arrives on a phone, in every look axe finds nothing, and nothing is too wide',
  async (path) => {
    await open(path);
    expect(await moved()).toBeLessThanOrEqual(0.01);
    expect(await problemsOnAnyDisplay(fixture.page, path)).toEqual([]);
  },
);

// What axe finds on them is asked with their errors shown, in `browser/auth/session.refused`.
test.each(['/login', '/signup'])('%s: nothing moves while it arrives on a phone', async (path) => {
  await open(path);
  expect(await moved()).toBeLessThanOrEqual(0.01);
});
