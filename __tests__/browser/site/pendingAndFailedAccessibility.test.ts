import type { Route } from 'playwright-core';
import { findDisplayProblems } from '../../support/assertions';
import { browserFixture, fill } from '../../support/browser';
import { placeOrder } from '../../support/checkout';
import { signInAsDemoUser, signInAsNewUser } from '../../support/session';
import { newTool } from '../../support/tools';

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

test('My Orders is accessible while it loads, after a failure and without orders', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await checkPendingAndFailed('/dashboard/myorder', 'Loading your orders');
  await page.goto('/dashboard/myorder');
  await main().getByText('No orders yet').waitFor();
  await check('no orders');
  expect(problems).toEqual([]);
});

// Runs only with `npm run verify -- displays`.
if (process.env['ALL_DISPLAYS'] === 'true')
  test('the other pages with data are accessible while they load and after a failure', async () => {
    await signInAsNewUser(fixture.page);
    const tool = await newTool();
    await checkPendingAndFailed('/dashboard', 'Loading your profile');
    await checkPendingAndFailed(`/purchase/${tool._id}`, 'Loading the tool');
    await signInAsDemoUser(fixture.page, 'admin');
    await checkPendingAndFailed('/dashboard/allusers', 'Loading the users');
    await checkPendingAndFailed('/dashboard/manageallorders', 'Loading the orders');
    expect(problems).toEqual([]);
  });

test('the purchase form with its errors, an order to pay and the payment page with its dialog are accessible', async () => {
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
  expect(problems).toEqual([]);
});
