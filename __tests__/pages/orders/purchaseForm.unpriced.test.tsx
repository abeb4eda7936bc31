import { screen, within } from '@testing-library/react';
import type { Tool } from '../../../src/contract/entities';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { createUnpricedNotice } from '../../../src/contract/unpricedNotice';
import { fill, openPage, signUp, user } from '../../support/page';
import { newTool, setStock } from '../../support/tools';

/** Must match the default of the setting in server/settings.ts. */
const MAX_UNPAID_ORDERS = 10;
const SAVED = "We saved this order, but you can't pay for it";

beforeEach(() => sessionStorage.clear());

/** Places an order without the page, and expects that it has a price. */
async function placePricedOrder({ _id: toolId, name: productName }: Tool, totalQuantity: number) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${localStorage.getItem('accessToken')}`,
  };
  const body = { toolId, productName, totalQuantity, address: '18 Foundry Row', phone: '555 0142' };
  const response = await fetch('/order', { method: 'POST', headers, body: JSON.stringify(body) });
  expect(((await response.json()) as { price: number | null }).price).toBe(18);
}

async function orderInPage({ _id }: Tool, quantity: number) {
  await openPage(`/purchase/${_id}`);
  await fill({ Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity) });
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: /^(Place order|Send anyway)/ }));
  await screen.findByText(SPEC_MESSAGES.orderPlaced);
}

async function expectNotice(tool: Tool, quantity: number, notice: string) {
  await orderInPage(tool, quantity);
  expect(await screen.findByText(notice)).toBeVisible();
}

/** Creates a tool with a minimum order of 20 and this stock. */
async function newToolWithStock(pieces: number) {
  const tool = await newTool();
  await setStock(tool._id, pieces);
  return tool;
}

describe('The notice after an unpriced order', () => {
  // Clause C.6.14
  test('shows the range if the quantity is out of range', async () => {
    await signUp();
    await expectNotice(
      await newToolWithStock(3_600),
      19,
      `${SAVED}: 19 is outside the range. You can order 20 to 1,800 right now.`,
    );
  });

  // Clause C.6.14
  test('says that the stock is less than a minimum order, or that the tool is out of stock', async () => {
    await signUp();
    await expectNotice(await newToolWithStock(19), 20, `${SAVED}: there's not enough stock for a minimum order.`);
    expect(createUnpricedNotice({ reason: 'range', min: 20, max: 0 }, 20)).toBe(`${SAVED}: the tool is out of stock.`);
  });

  // Clause C.6.19
  test('says that one customer can reserve at most half of the stock, and how much can still be ordered', async () => {
    await signUp();
    const half = `${SAVED}: one customer can reserve at most half of the stock.`;
    await expectNotice(await newToolWithStock(640), 321, `${half} You can order 20 to 320 right now.`);
  });

  test("says what to do if the customer's orders already reserve half of the stock", async () => {
    await signUp();
    const tool = await newTool();
    await placePricedOrder(tool, 320);
    const advice = 'Pay for or delete another order of this tool, then order again.';
    await expectNotice(tool, 20, `${SAVED}: one customer can reserve at most half of the stock. ${advice}`);
  });

  // Clause C.6.17
  test('says what to do at the limit of unpaid orders', async () => {
    await signUp();
    const tool = await newTool();
    for (let n = 0; n < MAX_UNPAID_ORDERS; n += 1) await placePricedOrder(tool, 20);
    const advice = "You've reached the limit of unpaid orders. Pay for or delete one, then order again.";
    await expectNotice(tool, 20, `${advice} ${SAVED}.`);
  });
});

test('if an older server sends no reason, the notice about an unpriced order names none', () => {
  expect(createUnpricedNotice(undefined, 19)).toBe(`${SAVED}.`);
});

test('if even a minimum order exceeds the largest payable total, the notice about an unpriced order names that limit', () => {
  const notice = `${SAVED}: we can't charge more than $999,999 for one order.`;
  expect(createUnpricedNotice({ reason: 'total', min: 20, max: 9 }, 20)).toBe(notice);
});
