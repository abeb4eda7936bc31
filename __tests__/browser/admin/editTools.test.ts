import { findDisplayProblems } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { query } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { signInAsDemoUser } from '../../support/session';
import { newTool } from '../../support/tools';
import type { Page } from 'playwright-core';
import type { Tool } from '../../../src/contract/entities';

const fixture = browserFixture();
const rowOf = (page: Page, { name }: Tool) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
const button = (page: Page, tool: Tool, name: string) => rowOf(page, tool).getByRole('button', { name });
const readTool = async ({ _id }: Tool) => (await query('select * from tools where id = $1', [_id]))[0];

async function openTools(page = fixture.page) {
  await signInAsDemoUser(page, 'admin');
  await page.goto('/dashboard/addproduct');
  await page.getByText(/^[\d,]+ tools$/).waitFor();
}

test('an admin can restock, edit and stop selling a tool by keyboard', async () => {
  const tool = await newTool();
  await openTools();
  const { page } = fixture;
  const keys = openKeyboard(page);
  await page.getByLabel('Find a tool').focus();
  await keys.type(tool.name);
  await page.getByText(/^1 of [\d,]+ tools$/).waitFor();
  await keys.activate(button(page, tool, 'Restock'));
  await keys.expectFocus(rowOf(page, tool).getByLabel('Change in stock'));
  await keys.type('-40');
  await keys.press('Enter');
  await page.getByText(`${tool.name}: 600 in stock.`).waitFor();
  await keys.expectFocus(button(page, tool, 'Restock'));
  await keys.activate(button(page, tool, 'Edit'));
  await keys.expectFocus(rowOf(page, tool).getByLabel('Name', { exact: true }));
  await keys.press('Tab');
  await keys.press('Control+a');
  await keys.type('30');
  await keys.press('Enter');
  await page.getByText(`Saved ${tool.name}.`).waitFor();
  await keys.activate(button(page, tool, 'Stop selling'), 'Space');
  await rowOf(page, tool).getByText('Not for sale').waitFor();
  await keys.expectFocus(button(page, tool, 'Start selling'));
  expect(keys.focusProblems).toEqual([]);
  expect(await readTool(tool)).toMatchObject({ price: 30, available_quantity: 600, on_sale: false });
});

test('a picture link that does not load shows a warning before the tool is saved', async () => {
  const tool = await newTool();
  await openTools();
  const { page } = fixture;
  await button(page, tool, 'Edit').click();
  const warning = rowOf(page, tool).getByText("This picture doesn't load. Customers will see a drawing instead.");
  await rowOf(page, tool).getByLabel('Picture link').fill('/images/tools/none.webp');
  await warning.waitFor();
  await rowOf(page, tool).getByLabel('Picture link').fill('/images/tools/claw-hammer.webp');
  await warning.waitFor({ state: 'detached' });
});

test('the tool list and its forms are accessible and fit every display', async () => {
  const tool = await newTool();
  await openTools();
  await fixture.page.getByLabel('Find a tool').fill(tool.name);
  await button(fixture.page, tool, 'Restock').click();
  expect(await findDisplayProblems(fixture.page, 'restock', 'main')).toEqual([]);
  await button(fixture.page, tool, 'Edit').click();
  expect(await findDisplayProblems(fixture.page, 'edit', 'main')).toEqual([]);
  await query('update tools set price = 20 where id = $1', [tool._id]);
  await rowOf(fixture.page, tool).getByLabel('Price').fill('25');
  await button(fixture.page, tool, 'Save').click();
  await rowOf(fixture.page, tool).getByText('Another admin saved: 20').waitFor();
  expect(await findDisplayProblems(fixture.page, 'conflict', 'main')).toEqual([]);
});
