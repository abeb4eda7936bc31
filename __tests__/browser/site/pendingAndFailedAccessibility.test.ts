import type { Route } from 'playwright-core';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { problemsOnAnyDisplay } from '../../support/assertions';
import { browserFixture, fill } from '../../support/browser';
import { payWith, placeOrder } from '../../support/checkout';
import { signInAsDemoUser, signInAsNewUser } from '../../support/session';
import { newTool } from '../../support/tools';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');
const found: unknown[] = [];
const check = async (moment: string) => void found.push(...(await problemsOnAnyDisplay(fixture.page, moment)));
const isData = (url: URL) => /^\/(tool|order|user|profile)\b/.test(url.pathname);
const isAsked = (route: Route) => route.request().resourceType() === 'fetch' && route.request().method() === 'GET';

beforeEach(() => void (found.length = 0));

/** The room while its answers are on their way, and after each of them was a failure. */
async function waitingAndFailed(path: string, words: string) {
  const { page } = fixture;
  const json = { status: 400, code: 'unreadable', title: 'Unreadable', detail: 'This could not be read.' };
  const held: Route[] = [];
  let fails = false;
  const answer = (route: Route) => route.fulfill({ status: 400, json });
  await page.route(isData, async (route) => {
    if (!isAsked(route)) return route.continue();
    return fails ? answer(route) : void held.push(route);
  });
  await page.goto(path);
  await page.locator('h1').waitFor({ state: 'attached' });
  await main().getByText(words, { exact: true }).waitFor({ state: 'attached' });
  await check(`${path} waiting`);
  fails = true;
  await Promise.all(held.map(answer));
  await main().getByRole('alert').first().waitFor();
  await check(`${path} failed`);
  await page.unroute(isData);
}

test('axe finds nothing in a customer’s rooms while they wait, after they failed, and with nothing in them', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const tool = await newTool();
  await waitingAndFailed('/dashboard', 'Loading your profile');
  await waitingAndFailed('/dashboard/myorder', 'Loading your orders');
  await waitingAndFailed(`/purchase/${tool._id}`, 'Loading the tool');
  await page.goto('/dashboard/myorder');
  await main().getByText('No orders yet').waitFor();
  await check('no orders');
  expect(found).toEqual([]);
});

test('axe finds nothing in an admin’s rooms while they wait and after they failed', async () => {
  await signInAsDemoUser(fixture.page, 'admin');
  await waitingAndFailed('/dashboard/allusers', 'Loading the users');
  await waitingAndFailed('/dashboard/manageallorders', 'Loading the orders');
  expect(found).toEqual([]);
});

test('axe finds nothing on the way of an order: filled, too many, placed, asked about, to be paid, paid', async () => {
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
  await check('payment, asked whether to delete');
  await page.keyboard.press('Escape');
  await payWith(page, '4000 0000 0000 0002');
  await main().getByRole('alert').first().waitFor();
  await check('payment refused');
  await payWith(page, CARDS.pays);
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  await check('paid');
  expect(found).toEqual([]);
});
