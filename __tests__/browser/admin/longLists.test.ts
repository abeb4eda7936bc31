import type { Locator } from 'playwright-core';
import { browserFixture, scrollUntilPresent } from '../../support/browser';
import { signInAsDemoUser } from '../../support/session';
import { expectEventually } from '../../support/wait';
import { createManageOrdersDriver, insertOrders, newProductName } from './ordersToManage';

const ORDERS = 400;
const fixture = browserFixture();
const { main, toggle, open } = createManageOrdersDriver(fixture);

const offsetInPage = (row: Locator) => row.evaluate((element) => element.getBoundingClientRect().top + window.scrollY);

test('a long list can load a failed page again, renders only the rows near the viewport, and keeps the positions, an open form and the focus', async () => {
  const { page } = fixture;
  const product = newProductName();
  await signInAsDemoUser(page, 'admin');
  await insertOrders({ product, count: ORDERS, status: 'unpriced' });
  await open('unpriced', product);
  const order = (n: number) => toggle(new RegExp(`${product} ${n}$`));
  await order(ORDERS).click();
  await main().getByLabel('Price per piece').fill('25');
  const problem = { code: 'unreadable', status: 400, detail: 'This could not be read.' };
  await page.route(/\/order\?.*after=/, (route) => route.fulfill({ status: 400, json: problem }), { times: 1 });
  await scrollUntilPresent(main().getByText("The next orders didn't load"));
  await main().getByRole('button', { name: 'Try again' }).click();
  await scrollUntilPresent(order(350));
  await order(350).scrollIntoViewIfNeeded();
  const position = await offsetInPage(order(350));
  await scrollUntilPresent(order(300));
  await order(300).focus();

  await scrollUntilPresent(order(1));
  await expectEventually(() => order(350).count(), 0);
  expect(await main().locator('[data-row]').count()).toBeLessThan(ORDERS);
  const table = main().getByRole('table');
  await expectEventually(() => table.getAttribute('aria-rowcount'), String(ORDERS + 1));
  const lastRow = order(1).locator('xpath=ancestor::*[@role="row"]');
  expect(await lastRow.getAttribute('aria-rowindex')).toBe(String(ORDERS + 1));
  expect(await order(300).evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await main().getByLabel('Price per piece').inputValue()).toBe('25');

  await page.evaluate(() => window.scrollTo(0, 0));
  await order(350).waitFor();
  await order(350).scrollIntoViewIfNeeded();
  expect(await offsetInPage(order(350))).toBe(position);
});
