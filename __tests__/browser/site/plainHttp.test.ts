import { shopDatabaseUrl } from '../../support/api';
import {
  allowError,
  browserFixture,
  expectToClose,
  fill,
  networkOrigin,
  waitUntilChooserInteractive,
} from '../../support/browser';
import { payWithCard } from '../../support/checkout';
import { newEmail } from '../../support/customers';
import { newTool } from '../../support/tools';
import { startServer, type RunningServer } from '../../support/server';
import { waitForPath, waitUntilSignedIn, signOut, signUp, mainButton } from '../../support/session';
import { CARDS } from '../../support/cards';

let shop: RunningServer;
beforeAll(async () => {
  const DATABASE_URL = shopDatabaseUrl();
  shop = await startServer({ DATABASE_URL, DEMO: 'on', DEMO_EXPOSED: 'on', RATE_LIMIT: 'off' });
});
afterAll(() => shop.stop());

const fixture = browserFixture(() => networkOrigin(shop.origin));

const OPENER_POLICY_IGNORED = /^The Cross-Origin-Opener-Policy header has been ignored/;

test('the demo works over plain HTTP under a host name other than localhost, including payments, and Copy asks the customer to copy the ID', async () => {
  const { page, visitor } = fixture;
  allowError(visitor, OPENER_POLICY_IGNORED);
  const tool = await newTool();
  await signUp(page, newEmail());
  expect(await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto, 'clipboard' in navigator])).toEqual([
    false,
    false,
    false,
  ]);
  await signOut(page);
  await page.goto('/login');
  const popupOpened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  const popup = await popupOpened;
  await waitUntilChooserInteractive(popup);
  await expectToClose(popup, () => popup.getByRole('button', { name: 'Rosa Jansen' }).click());
  await waitUntilSignedIn(page, 'Rosa Jansen');

  await page.goto(`/purchase/${tool._id}`);
  await fill(page, { Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(tool.minimumOrderQuantity) });
  await mainButton(page, 'Place order').click();
  await waitForPath(page, '/dashboard/myorder');
  await page.getByRole('row', { name: tool.name }).getByRole('link', { name: 'Pay', exact: true }).click();
  await payWithCard(page, CARDS.pays);
  await mainButton(page, 'Copy').click();
  await mainButton(page, 'Select the ID and copy it').waitFor();
});
