import type { Page } from 'playwright-core';
import { browserFixture, fill } from '../../../support/browser';
import { fetchOrders } from '../../../support/checkout';
import { waitForPath, nav, signInAsNewUser, mainButton, waitUntilInteractive } from '../../../support/session';
import { newTool } from '../../../support/tools';

/** 50 KB per second, with a latency of 400 ms per request. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');

async function emulateSlow3g(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_3G);
}

test('the home page on slow 3G shows tools and prices before any script has loaded, and links work', async () => {
  const { page } = fixture;
  let releaseScripts = () => {};
  const gate = new Promise<void>((resolve) => (releaseScripts = resolve));
  await page.route('**/assets/*.js', (route) => gate.then(() => route.continue()).catch(() => undefined));
  await emulateSlow3g(page);
  await page.goto('/', { waitUntil: 'commit' });
  await main().getByRole('heading', { name: 'Tools', exact: true }).waitFor();
  await main()
    .getByText(/^Price: \$ \d+$/)
    .first()
    .waitFor();
  await nav(page).getByRole('link', { name: 'Blogs' }).click({ noWaitAfter: true });
  await page.getByRole('heading', { level: 1, name: 'BLOG POSTS' }).waitFor();
  releaseScripts();
  await waitUntilInteractive(page, 60_000);
});

test('the purchase page on slow 3G shows that it is loading, and placing an order works', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const tool = await newTool();
  await emulateSlow3g(page);
  await page.goto(`/purchase/${tool._id}`, { waitUntil: 'commit' });
  await main().getByRole('status').filter({ hasText: 'Loading' }).first().waitFor();
  await mainButton(page, 'Place order').and(page.locator(':enabled')).waitFor({ timeout: 60_000 });
  await fill(page, { Address: 'a', Phone: '555 0100', Quantity: String(tool.minimumOrderQuantity) });
  await Promise.all([main().locator('button[aria-busy=true]').waitFor(), mainButton(page, 'Place order').click()]);
  await waitForPath(page, '/dashboard/myorder');
  await main().getByRole('cell', { name: tool.name }).waitFor();
  expect(await fetchOrders(page, email)).toHaveLength(1);
});
