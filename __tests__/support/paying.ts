import type { Page } from 'playwright-core';
import type { Order } from '../../src/contract/entities';
import { theTool } from './shopper';
import { storedToken } from './visitor';

async function call<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${await storedToken(page)}` };
  const response = await page.request.fetch(path, { method, headers, data: body });
  return (await response.json()) as T;
}

export const orderOf = (page: Page, id: string) => call<Order>(page, 'GET', `/order/${id}`);

/** An order of a tool that no other file buys, as the purchase page would place it. */
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

export async function typeCard(page: Page, number: string): Promise<void> {
  const card = page.frameLocator(CARD_FRAME);
  await card.locator('[name=cardnumber]').fill(number);
  await card.locator('[name=exp-date]').fill('12 / 40');
  await card.locator('[name=cvc]').fill('123');
  await card.locator('[name=postal]').fill('12345');
}

export const payButton = (page: Page) => page.getByRole('button', { name: 'PAY', exact: true });

export async function payWith(page: Page, number: string): Promise<void> {
  await typeCard(page, number);
  await payButton(page).click();
}
