import type { Page } from 'playwright-core';
import { browserFixture, PHONE } from '../../support/browser';
import { openKeyboard } from '../../support/keyboard';
import { waitUntilInteractive } from '../../support/session';
import { expectEventually } from '../../support/wait';

const fixture = browserFixture();
const readScroll = (page: Page) => page.evaluate(() => scrollY);
const isSearchAtTop = async (page: Page) => (await page.locator('#tools').boundingBox())!.y < 100;
const isFirstCardInView = async (page: Page) => {
  const { y } = (await page.locator('#tools li').first().boundingBox())!;
  return y < page.viewportSize()!.height - 100;
};

test.each([
  ['desktop computer', { width: 1280, height: 800 }],
  ['phone', PHONE.viewport],
])('a search scrolls its results into view on a %s, once', async (_device, viewport) => {
  const { page } = fixture;
  await page.setViewportSize(viewport);
  await page.goto('/');
  await waitUntilInteractive(page);
  await page.waitForLoadState('networkidle');
  expect(await isFirstCardInView(page)).toBe(false);
  await page.getByLabel('Find a tool').focus();
  await openKeyboard(page).type('hammer');
  await expectEventually(() => isSearchAtTop(page), true);
  expect(await isFirstCardInView(page)).toBe(true);
  const scroll = await readScroll(page);
  expect(scroll).toBeGreaterThan(0);
  await page.getByLabel('Sort by').selectOption('Price, low to high');
  await page.waitForURL('**/?q=hammer&sort=price');
  expect(await readScroll(page)).toBe(scroll);
});
