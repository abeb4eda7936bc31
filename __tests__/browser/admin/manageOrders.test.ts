import { text } from 'node:stream/consumers';
import { orderNumber } from '../../../src/contract/orderNumber';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { findDisplayProblems, waitForToast } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { query } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { signInAsDemoUser, waitForPath } from '../../support/session';
import { expectEventually } from '../../support/wait';
import { insertOrders, newProductName, createManageOrdersDriver, placePaidOrder, readOrder } from './ordersToManage';
import { shopOrigin } from '../../support/api';

const PATH = '/dashboard/manageallorders';
const fixture = browserFixture();
const { main, toggle, toggles, open } = createManageOrdersDriver(fixture);
const searchField = () => main().getByRole('searchbox', { name: 'Search orders' });

beforeEach(() => signInAsDemoUser(fixture.page, 'admin'));

test('an admin ships orders by keyboard, with the focus moving from each to the next undisputed order', async () => {
  const { page } = fixture;
  const product = newProductName();
  const [first, disputed, last] = await insertOrders({ product, count: 3 });
  await query(`update orders set dispute = 'open' where id = $1`, [disputed]);
  await open('paid', product);
  await expectEventually(() => toggles().count(), 3);
  const keys = openKeyboard(page);
  const formOf = (n: number) => main().getByRole('form', { name: `Ship 5 × ${product} ${n} to Ann Lee`, exact: true });
  await keys.activate(toggle(new RegExp(`${product} 3$`)));
  await keys.typeInto(formOf(3).getByLabel('Carrier'), 'Heron Freight');
  await keys.press('Tab');
  for (const n of [3, 1]) {
    await keys.expectFocus(formOf(n).getByLabel('Tracking number'));
    await keys.type(`HF-${n}`);
    await keys.press('Enter');
  }
  await waitForToast(page, 'Order shipped');
  // Each toast replaces the one before, which has no role anymore while it slides out.
  expect(await page.getByRole('status').filter({ hasText: 'Order shipped' }).count()).toBe(1);
  await keys.expectFocus(toggle(new RegExp(`${product} 1$`)));
  expect(keys.focusProblems).toEqual([]);
  const orders = await Promise.all([first, disputed, last].map((id) => readOrder(id!)));
  expect(orders.map(({ tracking }) => tracking)).toEqual(['HF-1', null, 'HF-3']);
  await toggle(new RegExp(`${product} 2$`)).click();
  await main().getByText('you can lose both the tools and the money').waitFor();
  await formOf(2).getByLabel('Tracking number').fill('HF-2');
  await main().getByRole('button', { name: 'Ship anyway' }).click();
  await expectEventually(async () => (await readOrder(disputed!)).tracking, 'HF-2');
});

test('the orders of the filter and the search can be downloaded, and no others', async () => {
  const { page } = fixture;
  const product = newProductName();
  const [paid] = await insertOrders({ product });
  await insertOrders({ product, status: 'unpriced' });
  await open('paid', product);
  await expectEventually(() => toggles().count(), 1);
  const downloading = page.waitForEvent('download');
  await main().getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('orders.csv');
  const [header, ...rows] = (await text(await download.createReadStream())).trimEnd().split('\r\n');
  expect([header!.startsWith('_id,client,email,'), rows.length]).toEqual([true, 1]);
  expect(rows[0]).toContain(paid);
});

test('the filter and the search are kept in the URL, and Back restores the previous filter and search', async () => {
  const { page } = fixture;
  const product = newProductName();
  await insertOrders({ product, count: 2 });
  await insertOrders({ product, status: 'unpriced', client: 'Cy Oak' });
  await page.goto(PATH);
  await main()
    .getByRole('link', { name: /^To ship/, exact: false })
    .and(main().locator('[aria-current]'))
    .waitFor();
  await searchField().pressSequentially(product.slice(0, 8));
  await waitForPath(page, `${PATH}?status=paid&q=${product.slice(0, 8)}`);
  await searchField().pressSequentially(product.slice(8));
  await waitForPath(page, `${PATH}?status=paid&q=${product}`);
  await main().getByText('Found 2 orders.').waitFor();
  await main()
    .getByRole('link', { name: /^To price/ })
    .click();
  await waitForPath(page, `${PATH}?status=unpriced&q=${product}`);
  await main().getByText('Found 1 order.').waitFor();
  await page.goBack();
  await main().getByText('Found 2 orders.').waitFor();
  await page.goBack();
  expect(page.url()).toBe(shopOrigin() + PATH);
  await expectEventually(() => searchField().inputValue(), '');
  await page.goForward();
  await expectEventually(() => searchField().inputValue(), product);
  await page.reload();
  await main().getByText('Found 2 orders.').waitFor();
  await searchField().fill('nobody ordered this');
  await main().getByText('No order matches “nobody ordered this” here').waitFor();
  await main().getByRole('link', { name: 'Search all orders' }).click();
  await waitForPath(page, `${PATH}?status=all&q=nobody+ordered+this`);
});

test('a letter that is deleted while the search starts stays deleted', async () => {
  const { page } = fixture;
  await insertOrders({ product: newProductName() });
  await page.goto(PATH);
  await searchField().waitFor();
  await page.evaluate(() => {
    const { pushState } = history;
    history.pushState = (...change) => {
      pushState.apply(history, change);
      history.pushState = pushState;
      queueMicrotask(() => void document.execCommand('delete'));
    };
  });
  await searchField().pressSequentially('hammer');
  await waitForPath(page, `${PATH}?status=paid&q=hamme`);
  expect(await searchField().inputValue()).toBe('hamme');
});

test('the packing slip of one order is printed without the rest of the page', async () => {
  const { page } = fixture;
  const product = newProductName();
  const ids = await insertOrders({ product, count: 2 });
  await query(`update orders set reference = 'PO 4711' where id = $1`, [ids[1]]);
  await open('paid', product);
  await toggle(`${product} 2`).click();
  await main().getByText('PO 4711').waitFor();
  await page.evaluate(() => void (window.print = () => {}));
  await main().getByRole('button', { name: 'Print packing slip' }).click();
  await page.emulateMedia({ media: 'print' });
  const printed = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
  for (const text of [
    'packing slip',
    'Ann Lee 18 Foundry Row',
    `${product} 2`,
    'Quantity 5',
    'Your reference PO 4711',
    `Order number ${orderNumber(ids[1]!)}`,
    ids[1]!,
  ])
    expect(printed).toContain(text);
  for (const text of [`${product} 1`, 'Dashboard', 'Ship', '$']) expect(printed).not.toContain(text);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.getByRole('article', { name: 'Packing slip', includeHidden: true }).waitFor({ state: 'detached' });
});

test('Manage All Orders is accessible and fits every display with form errors, a price form, a refund dialog or no orders', async () => {
  const { page } = fixture;
  const problems: unknown[] = [];
  const check = async (state: string, within = 'main') =>
    void problems.push(...(await findDisplayProblems(page, state, within)));
  const errors = () => page.getByRole('alert').allTextContents();
  const product = newProductName();
  await insertOrders({ product, client: `Bartholomew ${'Featherstonehaugh'.repeat(3)}` });
  await insertOrders({ product, status: 'unpriced' });
  const { order } = await placePaidOrder();
  await query(`update orders set dispute = 'open', refund_failed = true where product_name = $1`, [`${product} 1`]);
  await open('paid', product);
  await toggle(product).click();
  await main().getByLabel('Tracking link (optional)').fill('javascript:alert(1)');
  await main().getByRole('button', { name: 'Ship anyway' }).click();
  await expectEventually(errors, ['Carrier is required', 'Tracking number is required', PAGE_MESSAGES.linkInvalid]);
  await check('a disputed order with errors');
  await open('unpriced', product);
  await toggle(product).click();
  await check('an order to price');
  await open('paid', order.productName);
  await toggle(order.productName).click();
  await main().getByRole('button', { name: 'Refund…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refund $360' }).click();
  await expectEventually(errors, ['Reason is required']);
  await check('the refund dialog', 'dialog[open]');
  await open('refunded', product);
  await main()
    .getByText(/^No order matches/)
    .waitFor();
  await check('no orders');
  expect(problems).toEqual([]);
});
