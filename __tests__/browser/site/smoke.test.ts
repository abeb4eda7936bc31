import type { Browser, Page } from 'playwright-core';
import { shopOrigin } from '../../support/api';
import { connectToBrowser } from '../../support/browser';
import { waitUntilInteractive } from '../../support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await connectToBrowser();
});
afterAll(() => browser.close());

/** Everything that a page complains of: script errors, hydration, refused policies, parts that failed. */
async function visit(path: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('status of 404'))
      complaints.push(message.text());
  });
  await page.goto(shopOrigin() + path);
  await waitUntilInteractive(page);
  return { page, complaints };
}

// Clause A.7.1
test('the home page shows the tools from the database, without a complaint', async () => {
  const { page, complaints } = await visit('/');
  const shown = (await (await fetch(`${shopOrigin()}/tool`)).json()) as { name: string }[];
  await page.locator('.swiper-initialized').waitFor();
  for (const { name } of shown.slice(0, 3)) await page.getByRole('heading', { name, exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

// Clause A.2.1
test.each(['/home', '/dashboard', '/purchase/1'])('%s hydrates without a complaint', async (path) => {
  const { page, complaints } = await visit(path);
  expect(await page.locator('main').count()).toBe(1);
  expect(complaints).toEqual([]);
  await page.close();
});

// Clauses A.1.1, C.12.1
test('with scripts off the public pages still read', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, words] of [
    ['/', 'Minimum Order'],
    ['/blogs', 'BLOG POSTS'],
  ] as const) {
    await page.goto(shopOrigin() + path);
    expect(await page.locator('main').innerText()).toContain(words);
  }
  await context.close();
});

// Clause C.14.3
test('an unknown part is 404 and no page', async () => {
  const response = await fetch(`${shopOrigin()}/assets/main.ffffffff.js`);
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
});
