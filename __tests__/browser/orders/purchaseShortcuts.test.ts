import { orderNumber } from '../../../src/contract/orderNumber';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { findAccessibilityViolations, measureHorizontalOverflow } from '../../support/assertions';
import { allowError, fill, NETWORK_ERROR } from '../../support/browser';
import { fetchOrders, insertUnpricedOrders, payOrder, placeOrder, withFreshCustomer } from '../../support/checkout';
import { query } from '../../support/database';
import { setPrice } from '../../support/tools';
import { expectEventually } from '../../support/wait';

const fixture = withFreshCustomer();
const button = (name: string) => fixture.main().getByRole('button', { name, exact: true });
const readValue = (label: string) => fixture.main().getByLabel(label, { exact: true }).inputValue();
const readTotal = () => fixture.main().locator('output').textContent();
const openPurchase = () => fixture.page.goto(`/purchase/${fixture.tool._id}`);

/** Lets every order that follows reach the server, but drops the response. */
async function dropOrderResponses() {
  await fixture.page.route('**/order', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
}

describe('The purchase form', () => {
  test('starts with one crate, and has buttons for more and fewer crates', async () => {
    const { minimumOrderQuantity: crate, price } = fixture.tool;
    await openPurchase();
    await expectEventually(() => readValue('Quantity'), String(crate));
    expect(await readTotal()).toBe(`$ ${crate * price}`);
    await button('Add one crate').click();
    expect(await readValue('Quantity')).toBe(String(2 * crate));
    await button(`5 crates ${5 * crate}`).click();
    expect(await readValue('Quantity')).toBe(String(5 * crate));
    await fill(fixture.page, { Quantity: String(crate + 3) });
    await button('Remove one crate').click();
    expect(await readValue('Quantity')).toBe(String(crate));
    expect(await button('Remove one crate').getAttribute('aria-disabled')).toBe('true');
    expect(await findAccessibilityViolations(fixture.page, { within: 'main' })).toEqual([]);
    await fixture.page.setViewportSize({ width: 320, height: 640 });
    expect(await measureHorizontalOverflow(fixture.page)).toBe(0);
  });
});

// Clauses C.6.3, C.6.15
test('an order is placed once even if the price changes and then the response to the order is lost', async () => {
  await fixture.createOwnTool();
  await fixture.fillOrder(fixture.tool.minimumOrderQuantity);
  await setPrice(fixture.tool._id, 99);
  await fixture.page.route(`**/tool/${fixture.tool._id}`, (route) => route.abort('connectionreset'));
  await fixture.placeOrderButton().click();
  await dropOrderResponses();
  await button('Order at $99 each').click();
  await fixture.main().getByText(PAGE_MESSAGES.noReplyToOrder).waitFor();
  await fixture.page.unroute('**/order');
  await fixture.placeOrderButton().click();
  await fixture.waitForMyOrders();
  expect((await fetchOrders(fixture.page, fixture.email)).map(({ price }) => price)).toEqual([99]);
  allowError(fixture.visitor, NETWORK_ERROR);
});

describe('My Orders', () => {
  test('links a paid order to a purchase form that is filled in with the same quantity', async () => {
    const order = await placeOrder(fixture.page);
    await payOrder(fixture.page, order);
    await fixture.page.goto('/dashboard/myorder');
    await fixture.main().getByText(orderNumber(order._id)).waitFor();
    await fixture
      .main()
      .getByRole('link', { name: `Order again: ${order.productName}` })
      .click();
    await expectEventually(() => readValue('Quantity'), String(order.totalQuantity));
  });

  test('has rows of equal height, and marks orders whose stock is no longer reserved', async () => {
    const orders = [await placeOrder(fixture.page), await placeOrder(fixture.page)];
    await payOrder(fixture.page, orders[0]!);
    await query(`update orders set hold_until = now() - interval '1 minute' where id = $1`, [orders[1]!._id]);
    await insertUnpricedOrders(fixture.email, 1);
    await query(`update orders set product_name = 'Hammer' where email = $1`, [fixture.email]);
    await fixture.page.goto('/dashboard/myorder');
    await fixture.main().getByText('Hold ended. Pay while stock lasts.').waitFor();
    const rows = await fixture.main().getByRole('row').all();
    const heights = await Promise.all(rows.slice(1).map(async (row) => (await row.boundingBox())!.height));
    expect(new Set(heights).size).toBe(1);
    expect(heights).toHaveLength(3);
  });

  test('can be searched by product and filtered to unpaid orders', async () => {
    await insertUnpricedOrders(fixture.email, 12);
    const paid = await placeOrder(fixture.page);
    await payOrder(fixture.page, paid);
    await fixture.page.goto('/dashboard/myorder');
    await fill(fixture.page, { 'Find by product': 'hammer 11' });
    await fixture.main().getByText('Found 1 order.').waitFor();
    await fill(fixture.page, { 'Find by product': '' });
    await fixture.main().getByRole('checkbox', { name: 'Unpaid only' }).check();
    await fixture.main().getByText('Found 12 orders.').waitFor();
    await fill(fixture.page, { 'Find by product': 'no such tool' });
    await button('Show all orders').click();
    await fixture.main().getByRole('row').nth(13).waitFor();
    expect(await findAccessibilityViolations(fixture.page, { within: 'main' })).toEqual([]);
  });

  test('fits every column header into its column on narrow screens', async () => {
    await insertUnpricedOrders(fixture.email, 1);
    await fixture.page.goto('/dashboard/myorder');
    await fixture.main().getByText('Hammer 1', { exact: true }).waitFor();
    for (const width of [760, 900, 960]) {
      await fixture.page.setViewportSize({ width, height: 800 });
      const cut = await fixture
        .main()
        .getByRole('columnheader')
        .evaluateAll((headers) => headers.filter((header) => header.scrollWidth > header.clientWidth).length);
      expect([width, cut, await measureHorizontalOverflow(fixture.page)]).toEqual([width, 0, 0]);
    }
  });
});

test('the payment page shows the order number, the picture, the delivery address and how long the stock is reserved', async () => {
  const order = await placeOrder(fixture.page);
  await fixture.page.goto(`/dashboard/payment/${order._id}`);
  const summary = fixture.main().getByRole('region', { name: 'Your order' });
  await summary.getByText('Held for you until').waitFor();
  const text = await summary.innerText();
  for (const part of [orderNumber(order._id), order.client, '1 Main Street', '555 0100']) expect(text).toContain(part);
  await summary.locator('img').waitFor();
  expect(await findAccessibilityViolations(fixture.page, { within: 'main' })).toEqual([]);
});
