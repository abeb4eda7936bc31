import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { Tool } from '../../../src/contract/entities';
import { changeOf, parseStockChange } from '../../../src/features/admin/tools/toolChanges';
import { clearDrafts } from '../../../src/forms/drafts';
import { query } from '../../support/database';
import { openPage, replaceText, user, signInAsAdmin } from '../../support/page';
import { replaceFetch, watchCalls } from '../../support/pageCalls';
import { listTools, newTool } from '../../support/tools';

const sent = watchCalls();
const listEdits = () => sent.filter(({ call }) => call.startsWith('PATCH /tool/')).map(({ body }) => body);
const readStored = async ({ _id }: Tool) =>
  (await query('select price, available_quantity, stocked_quantity, on_sale from tools where id = $1', [_id]))[0];

/** Finds the tool's row through the search. */
async function openRow(tool: Tool) {
  await openPage('/dashboard/addproduct');
  await replaceText(await screen.findByLabelText('Find a tool'), tool.name.split(' ').reverse().join(' '));
  await screen.findByText(/^1 of [\d,]+ tools$/);
  const row = within((await screen.findByRole('heading', { level: 3, name: tool.name })).closest('li')!);
  return { ...row, press: (name: string) => user.click(row.getByRole('button', { name })) };
}

beforeAll(signInAsAdmin);
beforeEach(() => {
  clearDrafts();
  sent.length = 0;
});

describe('In the tool list of Add Product,', () => {
  test('an edit sends only the changed fields, with their previous values', async () => {
    const tool = await newTool();
    const row = await openRow(tool);
    await row.press(`Edit: ${tool.name}`);
    await replaceText(row.getByLabelText('Price'), '25');
    await row.press('Save');
    expect(await screen.findByText(`Saved ${tool.name}.`)).toBeVisible();
    expect(listEdits()).toEqual([{ price: 25, was: { price: 18 } }]);
    expect(await row.findByText('$25')).toBeVisible();
    expect(row.getByRole('button', { name: `Edit: ${tool.name}` })).toHaveFocus();
  });

  test('the filter "Low stock" keeps the tools with less than two minimum orders', async () => {
    const tool = await newTool();
    await query(
      'update tools set minimum_order_quantity = 320, stocked_quantity = 639, available_quantity = 639 where id = $1',
      [tool._id],
    );
    const enough = await newTool();
    await openRow(tool);
    const lowStock = screen.getByRole('checkbox', { name: 'Low stock: less than two minimum orders' });
    await user.click(lowStock);
    expect(await screen.findByRole('heading', { level: 3, name: tool.name })).toBeVisible();
    await replaceText(screen.getByLabelText('Find a tool'), enough.name);
    expect(await screen.findByText('No tool matches this search')).toBeVisible();
    await user.click(lowStock);
    expect(await screen.findByRole('heading', { level: 3, name: enough.name })).toBeVisible();
  });

  test('a stock change whose response is lost is sent again by itself, and is applied once', async () => {
    const tool = await newTool();
    const row = await openRow(tool);
    await row.press(`Restock: ${tool.name}`);
    await replaceText(row.getByLabelText('Change in stock'), '+50');
    let losses = 0;
    replaceFetch((originalFetch) => async (input, init) => {
      const response = await originalFetch(input, init);
      if ((input as Request).method === 'PATCH' && ++losses === 1) throw new TypeError('The connection was lost.');
      return response;
    });
    await row.press('Change stock');
    expect(await screen.findByText('No answer yet. Sending the tool again…')).toBeVisible();
    expect(await screen.findByText(`${tool.name}: 690 in stock.`)).toBeVisible();
    expect(await readStored(tool)).toMatchObject({ available_quantity: 690, stocked_quantity: 690 });
  });

  test('a stock change that is entered again after the form has closed is applied a second time', async () => {
    const tool = await newTool();
    const row = await openRow(tool);
    for (const available of [645, 650]) {
      await row.press(`Restock: ${tool.name}`);
      await replaceText(row.getByLabelText('Change in stock'), '+5');
      await row.press('Change stock');
      expect(await screen.findByText(`${tool.name}: ${available} in stock.`)).toBeVisible();
    }
    expect(await readStored(tool)).toMatchObject({ available_quantity: 650 });
  });

  test('a tool can be taken off sale and put on sale again', async () => {
    const tool = await newTool();
    const row = await openRow(tool);
    await row.press(`Stop selling: ${tool.name}`);
    expect(await row.findByText('Not for sale')).toBeVisible();
    expect((await listTools()).map(({ _id }) => _id)).not.toContain(tool._id);
    await row.press(`Start selling: ${tool.name}`);
    await waitFor(() => expect(row.queryByText('Not for sale')).toBeNull());
    expect(await readStored(tool)).toMatchObject({ on_sale: true });
  });

  test('a value that another admin has just saved is shown, and pressing Save again overwrites it', async () => {
    const tool = await newTool();
    const row = await openRow(tool);
    await row.press(`Edit: ${tool.name}`);
    await replaceText(row.getByLabelText('Price'), '25');
    await query('update tools set price = 20 where id = $1', [tool._id]);
    await row.press('Save');
    expect(await screen.findByText(/^Another admin saved:/)).toHaveTextContent('Another admin saved: 20');
    expect(row.getByLabelText('Price')).toHaveValue('25');
    expect(await readStored(tool)).toMatchObject({ price: 20 });
    await row.press('Save');
    expect(await screen.findByText(`Saved ${tool.name}.`)).toBeVisible();
    expect(await readStored(tool)).toMatchObject({ price: 25 });
    expect(listEdits().at(-1)).toEqual({ price: 25, was: { price: 20 } });
  });

  test('a value that another admin has just saved can be kept instead of overwritten', async () => {
    const tool = await newTool();
    const row = await openRow(tool);
    const name = `Renamed ${randomUUID()}`;
    await row.press(`Edit: ${tool.name}`);
    await replaceText(row.getByLabelText('Price'), '25');
    await replaceText(row.getByLabelText('Name'), name);
    await query('update tools set price = 20 where id = $1', [tool._id]);
    await row.press('Save');
    await user.click(await row.findByRole('button', { name: 'Use this value' }));
    expect(row.getByLabelText('Price')).toHaveValue('20');
    await row.press('Save');
    expect(await screen.findByText(`Saved ${name}.`)).toBeVisible();
    expect(listEdits().at(-1)).toEqual({ name, was: { name: tool.name } });
    expect(await readStored(tool)).toMatchObject({ price: 20 });
  });

  test('searching for a tool does not close an open form', async () => {
    const tool = await newTool();
    const row = await openRow(tool);
    await row.press(`Edit: ${tool.name}`);
    await replaceText(row.getByLabelText('Price'), '25');
    await replaceText(screen.getByLabelText('Find a tool'), 'no tool has this name');
    await screen.findByText(/^1 of [\d,]+ tools$/);
    expect(row.getByLabelText('Price')).toHaveValue('25');
  });
});

test("adding spaces around a tool's value does not count as a change", () => {
  const tool = { name: 'Hammer', price: 18, minimumOrderQuantity: 20, description: 'Steel.', img: '/a.webp' };
  const typed = { name: ' Hammer ', price: '18', minimumOrderQuantity: '20', description: 'Steel.', img: '/a.webp' };
  expect(changeOf(typed, tool)).toBeUndefined();
});

test.each([
  ['+50', 50],
  ['-3', -3],
  ['\u22123', -3],
  [' + 50 ', 50],
  ['50', NaN],
  ['0', NaN],
  ['+0', NaN],
  ['+1.5', NaN],
  ['ten', NaN],
])('a stock change typed as %j is read as %d', (typed, change) => {
  expect(parseStockChange(typed)).toBe(change);
});
