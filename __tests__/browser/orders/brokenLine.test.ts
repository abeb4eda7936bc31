import type { BrowserContext, Page } from 'playwright-core';
import type { Tool } from '../../../src/contract/entities';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { findDisplayProblems } from '../../support/assertions';
import { connectToBrowser, fill, newVisitor } from '../../support/browser';
import { fetchOrders } from '../../support/checkout';
import { startDroppingProxy } from './droppingProxy';
import { signInAsNewUser } from '../../support/session';
import { sharedTool } from '../../support/tools';
import { waitUntil } from '../../support/wait';

const PLACE = 'POST /order';
const AGAIN = 'No answer yet. Sending your order again…';

let proxy: Awaited<ReturnType<typeof startDroppingProxy>>;
let context: BrowserContext;
let page: Page;
let email: string;
let tool: Tool;
/** What is lost of each order that the page sends. Chromium itself sends an order again on a connection that it reuses. */
let loss: 'request' | 'answer' | undefined;
let placed: number;

beforeAll(async () => {
  proxy = await startDroppingProxy((call) => {
    if (call !== PLACE) return undefined;
    placed += 1;
    return loss;
  });
});
afterAll(() => proxy.stop());

beforeEach(async () => {
  [loss, placed] = [undefined, 0];
  const browser = await connectToBrowser();
  const throughProxy = { proxy: { server: proxy.url, bypass: '<-loopback>' } };
  ({ context, page } = await newVisitor(browser, shopOrigin(), throughProxy));
  [email, tool] = await Promise.all([signInAsNewUser(page), sharedTool()]);
});
afterEach(() => context.browser()!.close());

const main = () => page.getByRole('main');
const myOrders = () => page.waitForURL((url) => url.pathname === '/dashboard/myorder');
const countOrders = async () => (await fetchOrders(page, email)).length;

async function order(prepare = async () => {}) {
  await page.goto(`/purchase/${tool._id}`);
  await fill(page, { Address: '18 Foundry Row', Phone: '555 01420' });
  await prepare();
  await main().getByRole('button', { name: 'Place order' }).click();
}

/** Closes the tab and opens the page in a new one. */
async function reopen() {
  const url = page.url();
  await page.close();
  page = await context.newPage();
  await page.goto(url);
}

// Clause C.6.15
test('an order whose request and then its answer are lost is sent again by itself, and is placed once', async () => {
  loss = 'request';
  await order();
  await page.getByText(AGAIN).waitFor();
  expect(await countOrders()).toBe(0);
  loss = 'answer';
  await waitUntil(async () => (await countOrders()) === 1);
  loss = undefined;
  await myOrders();
  await page.getByText(SPEC_MESSAGES.orderPlaced, { exact: true }).waitFor();
  await page.getByText(AGAIN).waitFor({ state: 'detached' });
  expect(await countOrders()).toBe(1);
});

test.each([
  ['after the order arrived', 'answer'],
  ['before the order arrived', 'request'],
] as const)('a tab that is closed %s asks for it when it is opened again, and places it once', async (_when, lost) => {
  loss = lost;
  await order();
  await page.getByText(AGAIN).waitFor();
  await reopen();
  await main().getByText('finding out whether it arrived').waitFor();
  expect(await main().getByRole('button', { name: 'Place order' }).count()).toBe(0);
  loss = undefined;
  await myOrders();
  expect(await countOrders()).toBe(1);
  await page.goto(`/purchase/${tool._id}`);
  await main().getByRole('button', { name: 'Place order' }).waitFor();
});

test('an order that is given up keeps what was typed, is not sent by itself, and the same order is placed once', async () => {
  loss = 'answer';
  await order();
  await page.getByText(AGAIN).waitFor();
  expect(await findDisplayProblems(page, 'an order that is sent again')).toEqual([]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await main().getByText(PAGE_MESSAGES.noReplyToOrder).waitFor();
  loss = undefined;
  const before = placed;
  await reopen();
  await main().getByRole('button', { name: 'Place order' }).waitFor();
  expect([placed, await main().getByLabel('Address').inputValue()]).toEqual([before, '18 Foundry Row']);
  await main().getByRole('button', { name: 'Place order' }).click();
  await myOrders();
  expect(await countOrders()).toBe(1);
});

test('two tabs that send the same order at the same time place it once', async () => {
  loss = 'request';
  await order();
  await page.getByText(AGAIN).waitFor();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByText('finding out whether it arrived').waitFor();
  expect(await countOrders()).toBe(0);
  loss = undefined;
  await Promise.all([myOrders(), other.waitForURL((url) => url.pathname === '/dashboard/myorder')]);
  expect(await countOrders()).toBe(1);
});

test('an order is sent again on other pages too, and signing out ends that', async () => {
  loss = 'answer';
  await order();
  await page.getByText(AGAIN).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).click();
  await page.getByText(AGAIN).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText(AGAIN).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft')))).toEqual([]);
});

test('in a browser without storage, an order is sent again and placed once', async () => {
  loss = 'answer';
  await order(() =>
    page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    }),
  );
  await page.getByText(AGAIN).waitFor();
  loss = undefined;
  await myOrders();
  expect(await countOrders()).toBe(1);
});
