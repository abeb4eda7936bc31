import { screen, within } from '@testing-library/react';
import type { Tool } from '../../../src/contract/entities';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { unpricedNotice } from '../../../src/contract/unpricedNotice';
import { fill, openPage, signUp, user } from '../../support/page';
import { newTool, setStock } from '../../support/tools';

/** Unless the shop is told otherwise. */
const MOST_UNPAID = 10;
const SAVED = "We saved this order, but you can't pay for it";

beforeEach(() => sessionStorage.clear());

/** An order placed past the pages. */
async function orderOf({ _id: toolId, name: productName }: Tool, totalQuantity: number) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${localStorage.getItem('accessToken')}`,
  };
  const body = { toolId, productName, totalQuantity, address: '18 Foundry Row', phone: '555 0142' };
  const answer = await fetch('/order', { method: 'POST', headers, body: JSON.stringify(body) });
  expect(((await answer.json()) as { price: number | null }).price).toBe(18);
}

async function order({ _id }: Tool, quantity: number) {
  await openPage(`/purchase/${_id}`);
  await fill({ Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity) });
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Place order' }));
  await screen.findByText(SPEC_MESSAGES.orderPlaced);
}

async function saysAfter(tool: Tool, quantity: number, sentence: string) {
  await order(tool, quantity);
  expect(await screen.findByText(sentence)).toBeVisible();
}

/** A tool that is sold by 20, of which there are so many. */
async function stocked(pieces: number) {
  const tool = await newTool();
  await setStock(tool._id, pieces);
  return tool;
}

describe('After an order that has no price the page says', () => {
  // Clause C.6.14
  test('what can be ordered, when the quantity is out of range', async () => {
    await signUp();
    await saysAfter(
      await stocked(3_600),
      19,
      `${SAVED}: 19 is outside the range. You can order 20 to 1,800 right now.`,
    );
  });

  // Clause C.6.14
  test('that the tool is out of stock', async () => {
    await signUp();
    await saysAfter(await stocked(19), 20, `${SAVED}: the tool is out of stock.`);
  });

  // Clause C.6.19
  test('that the share of one customer is half, and what is left of it', async () => {
    await signUp();
    const half = `${SAVED}: one customer can reserve at most half of the stock.`;
    await saysAfter(await stocked(640), 321, `${half} You can order 20 to 320 right now.`);
  });

  test('what to do, when the customer holds as much as one customer can', async () => {
    await signUp();
    const tool = await newTool();
    await orderOf(tool, 320);
    const todo = 'Pay for or delete another order of this tool, then order again.';
    await saysAfter(tool, 20, `${SAVED}: one customer can reserve at most half of the stock. ${todo}`);
  });

  // Clause C.6.17
  test('what to do at the limit of unpaid orders', async () => {
    await signUp();
    const tool = await newTool();
    for (let n = 0; n < MOST_UNPAID; n += 1) await orderOf(tool, 20);
    const todo = "You've reached the limit of unpaid orders. Pay for or delete one, then order again.";
    await saysAfter(tool, 20, `${todo} ${SAVED}.`);
  });
});

test('an order of a version that gave no reason is said to be saved and no more', () => {
  expect(unpricedNotice(undefined, 19)).toBe(`${SAVED}.`);
});

test('a minimum order above the largest total is said to be too much for one order', () => {
  const sentence = `${SAVED}: we can't charge more than $999,999 for one order.`;
  expect(unpricedNotice({ reason: 'total', min: 20, max: 9 }, 20)).toBe(sentence);
});
