import { CONTACT } from '../../../src/contract/contact';
import type { Browser, Page } from 'playwright-core';
import { shopOrigin } from '../../support/api';
import { connectToBrowser } from '../../support/browser';
import { waitUntilInteractive } from '../../support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await connectToBrowser();
});
afterAll(() => browser.close());

/** Opens a page and collects its console errors and warnings: exceptions, hydration, policies, failed chunks. */
async function visit(path: string): Promise<{ page: Page; warnings: string[] }> {
  const page = await browser.newPage();
  const warnings: string[] = [];
  page.on('pageerror', (error) => warnings.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('status of 404'))
      warnings.push(message.text());
  });
  await page.goto(shopOrigin() + path);
  await waitUntilInteractive(page);
  return { page, warnings };
}

// Clauses A.2.1, B.1
test.each(['/home', '/dashboard', '/purchase/1'])('the page %s hydrates without console warnings', async (path) => {
  const { page, warnings } = await visit(path);
  expect(await page.locator('main').count()).toBe(1);
  expect(warnings).toEqual([]);
  await page.close();
});

// Clauses A.1.1, C.12.1
test('without JavaScript, public pages are readable, and pages show how to order by phone', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, text] of [
    ['/', 'Minimum Order'],
    ['/blogs', 'BLOG POSTS'],
  ] as const) {
    await page.goto(shopOrigin() + path);
    expect(await page.locator('main').innerText()).toContain(text);
  }
  for (const path of ['/', '/login', '/dashboard', '/purchase/1']) {
    await page.goto(shopOrigin() + path);
    const note = page.getByRole('complementary', { name: 'JavaScript is off' });
    await note.getByText('To order by phone, call').waitFor();
    expect(await note.getByRole('link').getAttribute('href')).toBe(CONTACT.phoneHref);
  }
  await context.close();
});
