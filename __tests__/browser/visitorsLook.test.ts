import { look, wrongInSomeLook } from '../support/look';
import { eachWithAVisitor } from '../support/stage';

const stage = eachWithAVisitor();
const PUBLIC = ['/', '/blogs', '/about', '/login', '/signup', '/nowhere'];

beforeEach(() =>
  stage.visitor.context.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) (window as unknown as { moved: number }).moved += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  }),
);

test.each([360, 1280])('nothing moves while the public pages arrive at %i', async (width) => {
  const { page } = stage;
  await look(page, 'light', width);
  const found: unknown[] = [];
  for (const path of PUBLIC) {
    await page.goto(path, { waitUntil: 'networkidle' });
    const moved = await page.evaluate(() => (window as unknown as { moved: number }).moved);
    if (moved > 0.01) found.push([path, moved]);
  }
  expect(found).toEqual([]);
});

test.each(PUBLIC)('%s: in every look axe finds nothing, and nothing is too wide', async (path) => {
  await look(stage.page, 'light', 360);
  await stage.page.goto(path, { waitUntil: 'networkidle' });
  expect(await wrongInSomeLook(stage.page, path)).toEqual([]);
});
