import type { Browser, BrowserContext } from 'playwright-core';
import { findAccessibilityViolations } from '../../support/assertions';
import { connectToBrowser } from '../../support/browser';
import { startIdentity } from '../../support/identity';
import { waitUntilChooserInteractive } from './chooserWindow';

let service: Awaited<ReturnType<typeof startIdentity>>;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [service, browser] = await Promise.all([startIdentity(), connectToBrowser()]);
});
afterAll(() => Promise.all([browser.close(), service.stop()]));
afterEach(() => context.close());

async function openChooser() {
  context = await browser.newContext();
  await context.route('**/opener', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Shop</title>' }),
  );
  const shop = await context.newPage();
  await shop.goto(`${service.url}/opener`);
  const popupOpened = shop.waitForEvent('popup');
  await shop.evaluate(
    (url) => void window.open(`${url}/identity/google?event=e%261`, 'chooser', 'width=420,height=700'),
    service.url,
  );
  const popup = await popupOpened;
  await waitUntilChooserInteractive(popup);
  return popup;
}

test('the chooser fits into its window and is accessible in both themes', async () => {
  const popup = await openChooser();
  const measureHiddenHeight = () => popup.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(await measureHiddenHeight()).toBeLessThanOrEqual(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await popup.emulateMedia({ colorScheme });
    expect(await findAccessibilityViolations(popup)).toEqual([]);
  }
});
