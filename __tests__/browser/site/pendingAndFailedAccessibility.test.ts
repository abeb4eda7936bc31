import type { Route } from 'playwright-core';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { findDisplayProblems } from '../../support/assertions';
import { browserFixture, fill } from '../../support/browser';
import { payWithCard, placeOrder } from '../../support/checkout';
import { signInAsDemoUser, signInAsNewUser } from '../../support/session';
import { newTool } from '../../support/tools';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');
const problems: unknown[] = [];
const check = async (state: string) => void problems.push(...(await findDisplayProblems(fixture.page, state)));
const isData = (url: URL) => /^\/(tool|order|user|profile)\b/.test(url.pathname);
const isRead = (route: Route) => route.request().resourceType() === 'fetch' && route.request().method() === 'GET';

beforeEach(() => void (problems.length = 0));

/** Checks a page while its requests are pending, and again after all of them have failed. */
async function checkPendingAndFailed(path: string, loadingText: string) {
  const { page } = fixture;
  const json = { status: 400, code: 'unreadable', title: 'Unreadable', detail: 'This could not be read.' };
  const held: Route[] = [];
  let shouldFail = false;
  const fail = (route: Route) => route.fulfill({ status: 400, json });
  await page.route(isData, async (route) => {
    if (!isRead(route)) return route.continue();
    return shouldFail ? fail(route) : void held.push(route);
  });
  await page.goto(path);
  await page.locator('h1').waitFor({ state: 'attached' });
  await main().getByText(loadingText, { exact: true }).waitFor({ state: 'attached' });
  await check(`${path} pending`);
  shouldFail = true;
  await Promise.all(held.map(fail));
  await main().getByRole('alert').first().waitFor();
  await check(`${path} failed`);
  await page.unroute(isData);
}

test('customer pages are accessible while they load and after a failure, and so is My Orders without orders', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const tool = await newTool();
  await checkPendingAndFailed('/dashboard', 'Loading your profile');
  await checkPendingAndFailed('/dashboard/myorder', 'Loading your orders');
  await checkPendingAndFailed(`/purchase/${tool._id}`, 'Loading the tool');
  await page.goto('/dashboard/myorder');
  await main().getByText('No orders yet').waitFor();
  await check('no orders');
  expect(problems).toEqual([]);
});

test('admin pages are accessible while they load and after a failure', async () => {
  await signInAsDemoUser(fixture.page, 'admin');
  await checkPendingAndFailed('/dashboard/allusers', 'Loading the users');
  await checkPendingAndFailed('/dashboard/manageallorders', 'Loading the orders');
  expect(problems).toEqual([]);
});

test('every step from the purchase form to the payment is accessible', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const { _id, availableQuantity } = await newTool();
  await page.goto(`/purchase/${_id}`);
  await main().getByRole('button', { name: 'Place order' }).click();
  await main().getByRole('alert').first().waitFor();
  await check('purchase with errors');
  await fill(page, { Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(availableQuantity + 1) });
  await main()
    .getByRole('button', { name: /^Change to/ })
    .waitFor();
  await check('purchase of too many');
  const order = await placeOrder(page);
  await page.goto('/dashboard/myorder');
  await main().getByRole('link', { name: 'Pay', exact: true }).waitFor();
  await check('orders');
  await page.goto(`/dashboard/payment/${order._id}`);
  await main().getByRole('button', { name: 'Delete this order' }).click();
  await page.getByRole('dialog').waitFor();
  await check('payment with the delete dialog');
  await page.keyboard.press('Escape');
  await payWithCard(page, '4000 0000 0000 0002');
  await main().getByRole('alert').first().waitFor();
  await check('payment with a declined card');
  await payWithCard(page, CARDS.pays);
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  await check('paid');
  expect(problems).toEqual([]);
});
