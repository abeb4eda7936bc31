import { screen, within } from '@testing-library/react';
import type { Tool } from '../../../src/contract/entities';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { createUnpricedNotice } from '../../../src/contract/unpricedNotice';
import { clearDrafts } from '../../../src/forms/drafts';
import { fill, openPage, signUp, user } from '../../support/page';
import { newTool, setStock } from '../../support/tools';

const SAVED = "We saved this order, but you can't pay for it";

beforeEach(clearDrafts);

async function orderInPage({ _id }: Tool, quantity: number) {
  await openPage(`/purchase/${_id}`);
  await fill({ Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity) });
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: /^(Place order|Ask us)/ }));
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
      `${SAVED}: 19 is outside the range. You can order 20 to 3,600 right now.`,
    );
  });

  // Clause C.6.14
  test('says that the stock is less than a minimum order, or that the tool is out of stock', async () => {
    await signUp();
    await expectNotice(await newToolWithStock(19), 20, `${SAVED}: there's not enough stock for a minimum order.`);
    expect(createUnpricedNotice({ reason: 'range', min: 20, max: 0 }, 20)).toBe(`${SAVED}: the tool is out of stock.`);
  });
});

test('if an older server sends no reason, the notice about an unpriced order names none', () => {
  expect(createUnpricedNotice(undefined, 19)).toBe(`${SAVED}.`);
});

test('if even a minimum order exceeds the largest payable total, the notice about an unpriced order names that limit', () => {
  const notice = `${SAVED}: we can't charge more than $999,999 for one order.`;
  expect(createUnpricedNotice({ reason: 'total', min: 20, max: 9 }, 20)).toBe(notice);
});
