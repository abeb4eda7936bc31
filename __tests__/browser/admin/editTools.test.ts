import { shopOrigin } from '../../support/api';
import { measureHorizontalOverflow, findDisplayProblems } from '../../support/assertions';
import { browserFixture, newVisitor, scrollUntilPresent, unexpectedErrors } from '../../support/browser';
import { placeOrder } from '../../support/checkout';
import { createTestDatabase, query } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { startServer } from '../../support/server';
import { signInAsDemoUser, signInAsNewUser } from '../../support/session';
import { newTool } from '../../support/tools';
import { expectEventually } from '../../support/wait';
import { lowestOf, recordEventDurations } from '../../support/eventDurations';
import type { Page } from 'playwright-core';
import type { Tool } from '../../../src/contract/entities';

const fixture = browserFixture();
const rowOf = (page: Page, { name }: Tool) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
const button = (page: Page, tool: Tool, name: string) => rowOf(page, tool).getByRole('button', { name });
const readTool = async ({ _id }: Tool) => (await query('select * from tools where id = $1', [_id]))[0];

async function openTools(page = fixture.page) {
  await signInAsDemoUser(page, 'admin');
  await page.goto('/dashboard/addproduct');
  await page.getByText(/^\d+ tools$/).waitFor();
}

test('when two admins edit the same tool, the second admin sees the changes of the first', async () => {
  const tool = await newTool();
  const other = await newVisitor(fixture.browser, shopOrigin());
  await Promise.all([openTools(), openTools(other.page)]);
  for (const [page, price] of [
    [fixture.page, '20'],
    [other.page, '25'],
  ] as const) {
    await button(page, tool, 'Edit').click();
    await rowOf(page, tool).getByLabel('Price').fill(price);
  }
  await rowOf(other.page, tool).getByLabel('Description').fill('Only one of us writes here.');
  await button(fixture.page, tool, 'Save').click();
  await fixture.page.getByText(`Saved ${tool.name}.`).waitFor();

  await button(other.page, tool, 'Save').click();
  await rowOf(other.page, tool).getByText('Another admin saved: 20').waitFor();
  expect(await readTool(tool)).toMatchObject({ price: 20, description: 'For a test.' });
  expect(await findDisplayProblems(other.page, 'conflict')).toEqual([]);
  await button(other.page, tool, 'Use this value').click();
  await button(other.page, tool, 'Save').click();
  await other.page.getByText(`Saved ${tool.name}.`).waitFor();
  expect(await readTool(tool)).toMatchObject({ price: 20, description: 'Only one of us writes here.' });
  expect(unexpectedErrors(other)).toEqual([]);
  await other.context.close();
});

test('an order placed while the restock form is open is still subtracted from the new stock', async () => {
  const tool = await newTool();
  const customer = await newVisitor(fixture.browser, shopOrigin());
  await signInAsNewUser(customer.page);
  await openTools();
  await button(fixture.page, tool, 'Restock').click();
  await rowOf(fixture.page, tool).getByLabel('Change in stock').fill('+50');
  await placeOrder(customer.page, Promise.resolve(tool));
  await button(fixture.page, tool, 'Change stock').click();
  await fixture.page.getByText(`${tool.name}: 670 in stock.`).waitFor();
  await expectEventually(() => rowOf(fixture.page, tool).innerText(), expect.stringContaining('670 in stock'));
  await customer.context.close();
});

test('an admin can restock, edit and stop selling a tool by keyboard', async () => {
  const tool = await newTool();
  await openTools();
  const { page } = fixture;
  const keys = openKeyboard(page);
  await page.getByLabel('Find a tool').focus();
  await keys.type(tool.name);
  await page.getByText(/^1 of \d+ tools$/).waitFor();
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
  expect(await findDisplayProblems(fixture.page, 'restock')).toEqual([]);
  await button(fixture.page, tool, 'Edit').click();
  expect(await findDisplayProblems(fixture.page, 'edit')).toEqual([]);
});

test('an admin can find any of 5,000 tools, and each key press in the search field is handled within 100 ms', async () => {
  const database = await createTestDatabase();
  const shop = await startServer({ DATABASE_URL: database.url, DEMO: 'on', RATE_LIMIT: 'off' });
  const visitor = await newVisitor(fixture.browser, shop.origin);
  const { page } = visitor;
  await query(
    `insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
     select 'Wrench ' || n, 18, 20, 640, 640, repeat('Made of Gödr steel. ', 10), '/images/tools/claw-hammer.svg'
     from generate_series(1, 5000) n`,
    [],
    database.url,
  );
  await signInAsDemoUser(page, 'admin', shop.origin);
  await page.goto('/dashboard/addproduct');
  await page.getByText(/^5,0\d\d tools$/).waitFor();
  await page.getByLabel('Find a tool').focus();
  const slowestKey = await lowestOf(100, async () => {
    await page.getByLabel('Find a tool').fill('');
    await page.waitForTimeout(1000);
    const slowest = await recordEventDurations(page);
    // Uses `page.keyboard`, because `locator.type` would look up the field again while the page handles the first key.
    await page.keyboard.type('godr wrench 4321', { delay: 150 });
    await page.getByText(/^1 of 5,0\d\d tools$/).waitFor();
    return slowest();
  });
  expect(slowestKey).toBeLessThan(100);
  await page.getByRole('heading', { name: 'Wrench 4321' }).waitFor();
  await page.getByLabel('Find a tool').fill('');
  await scrollUntilPresent(page.getByRole('heading', { name: 'Wrench 4500', exact: true }));
  expect(await measureHorizontalOverflow(page)).toBe(0);
  expect(unexpectedErrors(visitor)).toEqual([]);
  await visitor.context.close();
  await shop.stop();
  await database.drop();
});
