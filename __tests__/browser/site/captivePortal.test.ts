import type { Page, Route } from 'playwright-core';
import { APP_MESSAGES, IDENTITY_UNREACHABLE } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { expectErrorToast, expectSuccessToast } from '../../support/assertions';
import { allowError, browserFixture, fill } from '../../support/browser';
import { CARD_FRAME, fetchOrders, payButton, payWith, placeOrder } from '../../support/checkout';
import { newAccount, newEmail } from '../../support/customers';
import {
  waitForPath,
  waitUntilSignedIn,
  waitUntilSignedOut,
  logIn,
  dashboardMenuOf,
  signInAsDemoUser,
  signInAsNewUser,
  submitButton,
  waitUntilInteractive,
} from '../../support/session';
import { newTool } from '../../support/tools';
import { expectEventually, waitUntil } from '../../support/wait';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');

const LOGIN_OF_A_CAFE = '<!doctype html><title>Café</title><h1>Welcome to our network</h1><form>Accept</form>';
const portal = (route: Route) => route.fulfill({ status: 200, contentType: 'text/html', body: LOGIN_OF_A_CAFE });
const CALLS = /\/(order|profile|review|tool|user|admin|create-payment-intent)(\/|\?|$)|googleapis|\/v1\//;

/** Somebody between here and the shop answers every call with a page of their own. */
async function behindPortal(page: Page) {
  await page.route(
    (url) => CALLS.test(url.pathname + url.search),
    (route) => (route.request().resourceType() === 'document' ? route.fallback() : portal(route)),
  );
  return () => page.unrouteAll();
}

/** The page tries three times more before it says so. */
const afterRetries = () =>
  waitUntil(async () => {
    await fixture.page.clock.fastForward(8_000);
    return main().getByRole('alert').getByText(APP_MESSAGES.unexpectedResponse, { exact: true }).isVisible();
  });

test('a portal in place of a list is told, and Try again shows the list once it is gone', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const order = await placeOrder(page);
  await page.clock.install();
  await page.goto('/dashboard');
  const orders = page.getByRole('link', { name: 'My Order', exact: true });
  await orders.waitFor();
  const free = await behindPortal(page);
  await orders.click();
  await afterRetries();
  await free();
  await main().getByRole('button', { name: 'Try again' }).click();
  await main().getByRole('cell', { name: order.productName }).waitFor();
});

test('a portal in place of the shop’s answers to a form: told, nothing lost, and sent once', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const tool = await newTool();
  await page.goto('/dashboard');
  await submitButton(page, 'Save').waitFor();
  let free = await behindPortal(page);
  await fill(page, { Address: 'a', Phone: 'p', LinkedIn: 'https://a.example' });
  await submitButton(page, 'Save').click();
  await expectErrorToast(fixture.page, APP_MESSAGES.unexpectedResponse);
  await free();
  await submitButton(page, 'Save').click();
  await expectSuccessToast(fixture.page, SPEC_MESSAGES.profileSaved);

  await page.goto(`/purchase/${tool._id}`);
  await submitButton(page, 'Place order').waitFor();
  free = await behindPortal(page);
  await fill(page, { Address: 'a', Phone: 'p', Quantity: String(tool.minimumOrderQuantity) });
  await submitButton(page, 'Place order').click();
  await expectErrorToast(fixture.page, PAGE_MESSAGES.noReplyToOrder);
  await free();
  await submitButton(page, 'Place order').click();
  await waitForPath(page, '/dashboard/myorder');
  expect(await fetchOrders(page, email)).toHaveLength(1);
});

test('a portal in place of the sign-in service, and then of the shop: told under the form, and nobody is half in', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/login');
  await waitUntilInteractive(page);
  const free = await behindPortal(page);
  await logIn(page, email);
  await expectErrorToast(fixture.page, IDENTITY_UNREACHABLE);
  await free();
  await page.route('**/user/*', portal);
  await submitButton(page, 'Log in').click();
  await expectErrorToast(fixture.page, APP_MESSAGES.unexpectedResponse);
  await waitUntilSignedOut(page);
  await page.unrouteAll();
  await submitButton(page, 'Log in').click();
  await waitUntilSignedIn(page);
});

test('a portal in place of the payment, its script and its secret: told, and paid once it is gone', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await placeOrder(page);
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await page.route('**/create-payment-intent*', portal);
  await page.route('**/v1/sandbox/stripe.js', portal);
  await page.getByRole('link', { name: 'My Order', exact: true }).click();
  await main().getByRole('link', { name: 'Pay', exact: true }).click();
  await expectErrorToast(fixture.page, APP_MESSAGES.unexpectedResponse);
  await expectErrorToast(fixture.page, "The card form didn't load. Check your connection and try again.");
  await page.unrouteAll();
  const again = main().getByRole('button', { name: 'Try again' });
  await again.first().click();
  await again.nth(1).waitFor({ state: 'detached' });
  await again.click();
  await page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').waitFor();
  await payButton(page).and(page.locator(':enabled')).waitFor();
  await payWith(page, CARDS.pays);
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  expect(visitor.errors).toEqual(["Unexpected token '<'"]);
  allowError(visitor, /^Unexpected token '<'$/);
});

test('a portal in place of a part of the page is told, and Try again shows the page', async () => {
  const { page, visitor } = fixture;
  await page.goto('/about', { waitUntil: 'networkidle' });
  await waitUntilInteractive(page);
  await page.route('**/assets/blog.*.js', portal);
  await page.getByRole('link', { name: 'Blogs' }).click();
  await page
    .getByRole('alert')
    .getByText(/^Loading chunk \S+ failed\.$/)
    .waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'BLOG POSTS' }).waitFor();
  allowError(visitor, /^Unexpected token '<'$|^ChunkLoadError: Loading chunk \d+ failed/);
});

test('a portal in place of the question who is an admin is told, and sends no admin away', async () => {
  const { page } = fixture;
  await signInAsDemoUser(page, 'admin');
  await page.clock.install();
  await page.route('**/admin/*', portal);
  await page.goto('/dashboard/manageallorders');
  await afterRetries();
  await page.unrouteAll();
  await main().getByRole('button', { name: 'Try again' }).click();
  await main()
    .getByText(/orders? so far/)
    .waitFor();
});

// Clause A.2.25
test.each([
  ['customer', ['My Profile', 'My Order', 'Add review']],
  ['admin', ['My Profile', 'All Users', 'Add Product', 'Manage All Orders']],
] as const)(
  'before the shop has said who is an admin, a %s has a customer’s menu, is told, and can ask again',
  async (who, menu) => {
    const { page } = fixture;
    await signInAsDemoUser(page, who);
    await page.clock.install();
    await page.route('**/admin/*', portal);
    await page.goto('/dashboard');
    await afterRetries();
    await main().getByRole('heading', { name: "Part of the dashboard didn't load" }).waitFor();
    expect(await dashboardMenuOf(page)).toEqual(['My Profile', 'My Order', 'Add review']);
    await page.unrouteAll();
    await main().getByRole('button', { name: 'Try again' }).click();
    await main().getByRole('alert').waitFor({ state: 'detached' });
    await expectEventually(() => dashboardMenuOf(page), [...menu]);
  },
);
