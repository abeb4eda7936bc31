import type { Page } from 'playwright-core';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { browserFixture, dispatchWindowFocus, newVisitor, PHONE } from '../../support/browser';
import { insertUnpricedOrders, payOrder, placeOrder } from '../../support/checkout';
import { logIn, signInAsDemoUser, signInAsNewUser, waitForPath } from '../../support/session';
import { openKeyboard } from '../../support/keyboard';
import { measureLayoutShift } from '../../support/assertions';

const dashboardMenuOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').allTextContents();
const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');

/** Opens a second browser context, for another user. */
async function openOtherVisitor() {
  const other = await newVisitor(fixture.browser, shopOrigin());
  return { ...other, close: () => other.context.close() };
}

// Clauses A.4.9, A.6.4, A.6.5, C.2.13
test('a promoted customer sees the admin menu once the window regains focus, without signing in again', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Add review' }).waitFor();
  expect(await dashboardMenuOf(page)).toEqual(['My Profile', 'My Order', 'Add review']);

  const admin = await openOtherVisitor();
  await signInAsDemoUser(admin.page, 'admin');
  await admin.page.goto('/dashboard/allusers');
  await admin.page.getByLabel('Find by email').fill(email);
  await admin.page.getByText(/^1 of [\d,]+ users$/).waitFor();
  const button = admin.page.getByRole('row', { name: email }).getByRole('button', { name: /^Make Admin/ });
  const keys = openKeyboard(admin.page);
  await button.focus();
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('dialog', { name: SPEC_MESSAGES.areYouSure }).waitFor();
  await admin.page.keyboard.press('Escape');
  await admin.page.getByRole('dialog').waitFor({ state: 'hidden' });
  await keys.expectFocus(button);
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).press('Enter');
  await admin.page.getByText(SPEC_MESSAGES.adminMade).waitFor();
  await button.waitFor({ state: 'detached' });
  await keys.expectFocus(admin.page.getByRole('heading', { level: 1 }));
  expect(admin.errors).toEqual([]);
  await admin.close();

  await dispatchWindowFocus(page);
  await page.getByRole('link', { name: 'All Users' }).waitFor();
  expect(await dashboardMenuOf(page)).toEqual(['My Profile', 'All Users', 'Add Product', 'Manage All Orders']);
  await page.getByRole('link', { name: 'Manage All Orders' }).click();
  await main()
    .getByText(/orders? so far/)
    .waitFor();
});

test('after login, an admin sees how many orders are to ship and to price above the home page, which does not move', async () => {
  const { page } = fixture;
  const customer = await openOtherVisitor();
  const email = await signInAsNewUser(customer.page);
  await payOrder(customer.page, await placeOrder(customer.page));
  await insertUnpricedOrders(email, 1);
  await customer.close();
  await page.goto('/login');
  await logIn(page, 'admin@forgeline.example', 'forgeline-demo');
  const line = main().getByRole('link', { name: /^(1 order is|[\d,]+\+? orders are) ready to ship$/ });
  await line.waitFor();
  const toPrice = main().getByRole('link', { name: /^(1 request waits|[\d,]+\+? requests wait) for a price$/ });
  expect(await toPrice.getAttribute('href')).toBe('/dashboard/manageallorders?status=unpriced');
  expect(await measureLayoutShift(page)).toBeLessThanOrEqual(0.01);
  await line.click();
  await waitForPath(page, '/dashboard/manageallorders?status=paid');
  await page.goBack();
  await page.locator('.swiper-initialized').waitFor();
  expect(await line.count()).toBe(0);
  await page.reload();
  await page.locator('.swiper-initialized').waitFor();
  expect(await line.count()).toBe(0);
});

// Clause A.2.27
test('the user icon shows the email as a tooltip on hover, on focus and on touch', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard');
  const [icon, tooltip] = [page.getByRole('button', { name: 'Your account' }), page.getByRole('tooltip')];
  expect(await tooltip.isVisible()).toBe(false);
  await icon.hover();
  await tooltip.filter({ hasText: email }).waitFor();
  await page.mouse.move(0, 500);
  await tooltip.waitFor({ state: 'hidden' });
  await openKeyboard(page).tabTo(icon);
  await tooltip.waitFor();
  await page.keyboard.press('Escape');
  await tooltip.waitFor({ state: 'hidden' });
  await openKeyboard(page).expectFocus(icon);

  const storageState = await fixture.visitor.context.storageState();
  const { context: phone, page: phonePage } = await newVisitor(fixture.browser, shopOrigin(), {
    ...PHONE,
    storageState,
  });
  await phonePage.goto('/dashboard');
  await phonePage.getByRole('button', { name: 'Your account' }).tap();
  await phonePage.getByRole('tooltip').filter({ hasText: email }).waitFor();
  await phone.close();
});
