import type { Page } from 'playwright-core';
import type { Order, Tool } from '../../src/contract/entities';
import { callShop, shopOrigin } from './api';
import { browserFixture, fill, storedToken } from './browser';
import { payWithToken } from './cards';
import { query } from './database';
import { signInAsNewUser, mainButton } from './session';
import { newTool, sharedTool } from './tools';

/** Calls the shop with the access token of the page's user. */
export async function callAsPageUser<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  const token = (await storedToken(page)) ?? undefined;
  return (await callShop(shopOrigin(), path, { method, token, body })).body as T;
}

export const fetchOrder = (page: Page, id: string) => callAsPageUser<Order>(page, 'GET', `/order/${id}`);
export const fetchOrders = (page: Page, email: string) =>
  callAsPageUser<Order[]>(page, 'GET', `/order?email=${encodeURIComponent(email)}`);

/** Places an order for the tool's minimum quantity, by default for the tool of the test file. */
export async function placeOrder(page: Page, tool = sharedTool()): Promise<Order & { total: number }> {
  const { _id, name, minimumOrderQuantity } = await tool;
  const order = await callAsPageUser<Order>(page, 'POST', '/order', {
    toolId: _id,
    productName: name,
    totalQuantity: minimumOrderQuantity,
    address: '1 Main Street',
    phone: '555 0100',
  });
  return { ...order, total: order.price! * order.totalQuantity };
}

export const payOrder = async (page: Page, order: { _id: string; total: number }) =>
  payWithToken(shopOrigin(), (await storedToken(page))!, order._id, order.total);

export const CARD_FRAME = 'iframe[title="Secure card payment input frame"]';

/** Fills in the card form. The number gets a space after every four digits, as people type it. */
export async function fillCardForm(page: Page, number: string): Promise<void> {
  const card = page.frameLocator(CARD_FRAME);
  await card.locator('[name=cardnumber]').fill(number.replaceAll(/\d{4}(?=\d)/g, '$& '));
  await card.locator('[name=exp-date]').fill('12 / 40');
  await card.locator('[name=cvc]').fill('123');
  await card.locator('[name=postal]').fill('12345');
}

export async function payWithCard(page: Page, number: string): Promise<void> {
  await fillCardForm(page, number);
  await mainButton(page, 'PAY').click();
}

export const insertUnpricedOrders = (email: string, count: number) =>
  query(
    `insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock)
     select u.id, u.email, 'Ann', (select id from tools limit 1), 'Hammer ' || n, 5, 'a', 'p', 'unpriced', false
     from users u, generate_series(1, $2::int) n where u.email = $1`,
    [email, count],
  );

/** Signs in a new customer before each test, and provides a tool that only this test file uses. */
export function withFreshCustomer() {
  const fixture = Object.assign(browserFixture(), {} as { email: string; tool: Tool });
  beforeEach(async () => {
    [fixture.email, fixture.tool] = await Promise.all([signInAsNewUser(fixture.page), sharedTool()]);
  });

  const main = () => fixture.page.getByRole('main');
  const fillOrder = async (quantity: number) => {
    await fixture.page.goto(`/purchase/${fixture.tool._id}`);
    await fill(fixture.page, { Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity) });
  };
  const placeOrderButton = () => main().getByRole('button', { name: /^(Place order|Ask us)/ });
  return Object.assign(fixture, {
    main,
    fillOrder,
    placeOrderButton,
    /** Replaces the tool with a new one, for tests that depend on its stock or change its price. */
    createOwnTool: async () => void (fixture.tool = await newTool()),
    waitForMyOrders: () => fixture.page.waitForURL((url) => url.pathname === '/dashboard/myorder'),
  });
}
