import { orderNumber } from '../../../src/contract/orderNumber';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { findDisplayProblems, expectSuccessToast } from '../../support/assertions';
import { allowError, browserFixture, holdRequests, NETWORK_ERROR } from '../../support/browser';
import { query } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { pathOf, signInAsDemoUser, waitForPath } from '../../support/session';
import { expectEventually, waitUntil } from '../../support/wait';
import { insertOrders, newProductName, createManageOrdersDriver, placePaidOrder, readOrder } from './ordersToManage';

const PATH = '/dashboard/manageallorders';
const COUNT = 4;
const fixture = browserFixture();
const { main, toggle, toggles, open } = createManageOrdersDriver(fixture);
const searchField = () => main().getByRole('searchbox', { name: 'Search orders' });

beforeEach(() => signInAsDemoUser(fixture.page, 'admin'));

test('an admin ships orders by keyboard, with the focus moving from each to the next', async () => {
  const { page } = fixture;
  const product = newProductName();
  const ids = await insertOrders({ product, count: COUNT });
  await open('paid', product);
  await expectEventually(() => toggles().count(), COUNT);
  const keys = openKeyboard(page);
  const formOf = (n: number) => main().getByRole('form', { name: `Ship 5 × ${product} ${n} to Ann Lee`, exact: true });
  await keys.activate(toggle(new RegExp(`${product} ${COUNT}$`)));
  await keys.typeInto(formOf(COUNT).getByLabel('Carrier'), 'Heron Freight');
  await keys.press('Tab');
  for (let n = COUNT; n >= 1; n -= 1) {
    await keys.expectFocus(formOf(n).getByLabel('Tracking number'));
    await keys.type(`HF-${n}`);
    await keys.press('Enter');
  }
  await expectSuccessToast(page, 'Order shipped');
  // Each toast replaces the one before, which has no role anymore while it slides out.
  expect(await page.getByRole('status').filter({ hasText: 'Order shipped' }).count()).toBe(1);
  await keys.expectFocus(toggle(new RegExp(`${product} 1$`)));
  const shipped = await Promise.all(ids.map(readOrder));
  expect(shipped.map(({ tracking }) => tracking)).toEqual(ids.map((_id, i) => `HF-${i + 1}`));
  expect(keys.focusProblems).toEqual([]);
});

test('pressing Enter twice ships an order once, and an unsent shipment form keeps its values after a reload', async () => {
  const { page } = fixture;
  const product = newProductName();
  const [id] = await insertOrders({ product });
  await open('paid', product);
  await toggle(product).click();
  await main().getByLabel('Carrier').fill('Heron Freight');
  await main().getByLabel('Tracking number').fill('HF-1');
  await page.reload();
  await toggle(product).click();
  await expectEventually(() => main().getByLabel('Tracking number').inputValue(), 'HF-1');
  const held = await holdRequests(page, '**/order/*/shipment');
  await main().getByLabel('Tracking number').focus();
  for (const _ of '12') await page.keyboard.press('Enter');
  await main().getByRole('button', { name: 'Ship', exact: true }).and(main().locator('[aria-busy]')).waitFor();
  expect(held.countRequests()).toBe(1);
  held.release();
  await main().getByText('Heron Freight, HF-1').waitFor();
  expect((await readOrder(id!)).tracking).toBe('HF-1');
});

test('after an order is shipped the next undisputed order opens, and a disputed order warns against shipping', async () => {
  const product = newProductName();
  const [, disputed] = await insertOrders({ product, count: 3 });
  await query(`update orders set dispute = 'open' where id = $1`, [disputed]);
  await open('paid', product);
  const disputedLabel = main().getByText('Disputed', { exact: true });
  expect(await disputedLabel.evaluate((element) => getComputedStyle(element).fontWeight)).toBe('600');
  await toggle(new RegExp(`${product} 3$`)).click();
  await main().getByLabel('Carrier').fill('Heron Freight');
  await main().getByLabel('Tracking number').fill('HF-3');
  await fixture.page.keyboard.press('Enter');
  await main()
    .getByRole('form', { name: `Ship 5 × ${product} 1 to Ann Lee`, exact: true })
    .waitFor();
  await toggle(new RegExp(`${product} 2$`)).click();
  await main().getByText('you can lose both the tools and the money').waitFor();
  await main().getByRole('button', { name: 'Ship anyway' }).waitFor();
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
  expect(pathOf(page)).toBe(PATH);
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

test('Manage All Orders finds an order by email, customer, product, address, order number, id or transaction id', async () => {
  const { order, email } = await placePaidOrder();
  const [{ intent_id: intent } = { intent_id: '' }] = await query<{ intent_id: string }>(
    'select intent_id from payments where order_id = $1',
    [order._id],
  );
  await fixture.page.goto(`${PATH}?status=all`);
  for (const text of [
    email,
    `${email} bo buyer`,
    order.productName,
    `${email} dock`,
    order._id.slice(0, 8),
    order._id,
    intent,
  ]) {
    await searchField().fill(text);
    await main().getByText('Found 1 order.').waitFor();
    await toggle(`Bo Buyer ${email}: 20 × ${order.productName}`).waitFor();
    await searchField().fill('');
    await main().getByText('Email, customer, product, address, order number or transaction ID.').waitFor();
  }
});

test('the packing slip of one order is printed without the rest of the page', async () => {
  const { page } = fixture;
  const product = newProductName();
  const ids = await insertOrders({ product, count: 2 });
  await open('paid', product);
  await toggle(`${product} 2`).click();
  await page.evaluate(() => void (window.print = () => {}));
  await main().getByRole('button', { name: 'Print packing slip' }).click();
  await page.emulateMedia({ media: 'print' });
  const printed = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
  for (const text of [
    'packing slip',
    'Ann Lee 18 Foundry Row',
    `${product} 2`,
    'Quantity 5',
    `Order number ${orderNumber(ids[1]!)}`,
    ids[1]!,
  ])
    expect(printed).toContain(text);
  for (const text of [`${product} 1`, 'Dashboard', 'Ship', '$']) expect(printed).not.toContain(text);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.getByRole('article', { name: 'Packing slip', includeHidden: true }).waitFor({ state: 'detached' });
});

test('Manage All Orders loads its orders page by page, and a page that failed to load can be loaded again', async () => {
  const { page } = fixture;
  const product = newProductName();
  await insertOrders({ product, count: 130 });
  await page.route(/\/order\?.*after=/, (route) => route.abort('connectionreset'));
  await open('paid', product);
  await main().getByText('Found more than 50 orders.').waitFor();
  await waitUntil(async () => {
    await page.mouse.wheel(0, 20_000);
    return main().getByText("The next orders didn't load").isVisible();
  });
  await page.unrouteAll();
  await main().getByRole('button', { name: 'Try again' }).click();
  await waitUntil(async () => {
    await page.mouse.wheel(0, 4_000);
    return (await toggles().count()) === 130;
  });
  await main().getByText('Found 130 orders.').waitFor();
  allowError(fixture.visitor, NETWORK_ERROR);
});

test('Manage All Orders is accessible and fits every display with form errors, a price form, a refund dialog or no orders', async () => {
  const { page } = fixture;
  const problems: unknown[] = [];
  const check = async (state: string, within?: string) =>
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
