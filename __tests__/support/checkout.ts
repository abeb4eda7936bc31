import type { Page } from 'playwright-core';
import type { Order, Tool } from '../../src/contract/entities';
import { callShop, shopOrigin } from './api';
import { accessibilityViolations } from './assertions';
import { browserFixture, fill, storedToken } from './browser';
import { query } from './database';
import { signInAsNewUser } from './session';
import { newTool, theTool } from './tools';

async function call<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${await storedToken(page)}` };
  const response = await page.request.fetch(path, { method, headers, data: body });
  return (await response.json()) as T;
}

export const orderOf = (page: Page, id: string) => call<Order>(page, 'GET', `/order/${id}`);

/** Places an order of the file's own tool, as the purchase page does. */
export async function placeOrder(page: Page, tool = theTool()): Promise<Order & { total: number }> {
  const { _id, name, minimumOrderQuantity } = await tool;
  const order = await call<Order>(page, 'POST', '/order', {
    toolId: _id,
    productName: name,
    totalQuantity: minimumOrderQuantity,
    address: '1 Main Street',
    phone: '555 0100',
  });
  return { ...order, total: order.price! * order.totalQuantity };
}

export const CARD_FRAME = 'iframe[title="Secure card payment input frame"]';
export const CHALLENGE_FRAME = 'iframe[title="Payment authentication (sandbox)"]';

/** Fills in the card as it is printed, in groups of four digits. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const card = page.frameLocator(CARD_FRAME);
  await card.locator('[name=cardnumber]').fill(number.replaceAll(/\d{4}(?=\d)/g, '$& '));
  await card.locator('[name=exp-date]').fill('12 / 40');
  await card.locator('[name=cvc]').fill('123');
  await card.locator('[name=postal]').fill('12345');
}

export const payButton = (page: Page) => page.getByRole('button', { name: 'PAY', exact: true });

export async function payWith(page: Page, number: string): Promise<void> {
  await typeCard(page, number);
  await payButton(page).click();
}

/** This person's orders on the server. */
export async function ordersOf(page: Page, email: string): Promise<Order[]> {
  const token = (await storedToken(page)) ?? undefined;
  const { body } = await callShop(shopOrigin(), `/order?email=${encodeURIComponent(email)}`, { token });
  return body as unknown as Order[];
}

/** Inserts unpriced orders, counted as placed ones are. */
export const giveOrders = (email: string, many: number) =>
  query(
    `with counted as (update order_counts set n = n + $2::int where shard = 0)
     insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock)
     select u.id, u.email, 'Ann', (select id from tools limit 1), 'Hammer ' || n, 5, 'a', 'p', 'unpriced', false
     from users u, generate_series(1, $2::int) n where u.email = $1`,
    [email, many],
  );

/** Before each test: a new customer, signed in, and a tool that no other file buys. */
export function withFreshCustomer() {
  const here = Object.assign(browserFixture(), {} as { email: string; tool: Tool });
  beforeEach(async () => {
    [here.email, here.tool] = await Promise.all([signInAsNewUser(here.page), theTool()]);
  });

  const main = () => here.page.getByRole('main');
  return Object.assign(here, {
    main,
    /** For tests that depend on the tool's stock or change its price. */
    ownTool: async () => void (here.tool = await newTool()),
    place: () => main().getByRole('button', { name: 'Place order' }),
    toOrders: () => here.page.waitForURL((url) => url.pathname === '/dashboard/myorder'),
    toast: (text: string) => here.page.getByText(text, { exact: true }).last().waitFor(),
    async fillOrder(quantity: number) {
      await here.page.goto(`/purchase/${here.tool._id}`);
      await fill(here.page, { Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity) });
    },
  });
}

/** Before each test: a new customer, signed in, with an order to pay. */
export function withFreshPayer(toolOf = theTool) {
  const here = Object.assign(browserFixture(), {} as { email: string; order: Awaited<ReturnType<typeof placeOrder>> });
  beforeEach(async () => {
    here.email = await signInAsNewUser(here.page);
    here.order = await placeOrder(here.page, toolOf());
  });
  afterEach(() => expect(here.visitor.requests.filter((url) => !url.startsWith(shopOrigin()))).toEqual([]));

  return Object.assign(here, {
    openPayment: (on = here.page) => on.goto(`/dashboard/payment/${here.order._id}`),
    alert: (on = here.page) => on.getByRole('main').getByRole('alert'),
    accessible: async () => expect(await accessibilityViolations(here.page, { within: 'main' })).toEqual([]),
  });
}
