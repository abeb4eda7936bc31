import { orderNumber } from '../../../src/contract/orderNumber';
import { findAccessibilityViolations, measureHorizontalOverflow } from '../../support/assertions';
import { fill, holdRequests } from '../../support/browser';
import { CARDS } from '../../support/cards';
import { fillCardForm, insertUnpricedOrders, payOrder, placeOrder, withFreshCustomer } from '../../support/checkout';
import { query } from '../../support/database';
import { expectEventually } from '../../support/wait';

const fixture = withFreshCustomer();
const button = (name: string) => fixture.main().getByRole('button', { name, exact: true });
const readValue = (label: string) => fixture.main().getByLabel(label, { exact: true }).inputValue();
const readTotal = () => fixture.main().locator('output').textContent();
const openPurchase = () => fixture.page.goto(`/purchase/${fixture.tool._id}`);

describe('The purchase form', () => {
  test('starts with one crate, and has buttons for more and fewer crates', async () => {
    const { minimumOrderQuantity: crate, price } = fixture.tool;
    await openPurchase();
    await expectEventually(() => readValue('Quantity'), String(crate));
    expect(await readTotal()).toBe(`$${crate * price}`);
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

  test('can be searched by product, number, reference and invoice, and filtered to unpaid orders', async () => {
    await insertUnpricedOrders(fixture.email, 12);
    const paid = await placeOrder(fixture.page);
    await payOrder(fixture.page, paid);
    const ofPaid = (statement: string) => query<{ invoice: string }>(statement, [paid._id]);
    const [payment] = await ofPaid('select invoice from payments where order_id = $1');
    await ofPaid(`update orders set reference = 'PO 77' where id = $1`);
    await fixture.page.goto('/dashboard/myorder');
    for (const text of ['hammer 11', 'po 77', orderNumber(paid._id), payment!.invoice]) {
      await fill(fixture.page, { 'Find an order': text });
      await fixture.main().getByText('Found 1 order.').waitFor();
    }
    await fill(fixture.page, { 'Find an order': '' });
    await fixture.main().getByRole('checkbox', { name: 'Unpaid only' }).check();
    await fixture.main().getByText('Found 12 orders.').waitFor();
    await fill(fixture.page, { 'Find an order': 'no such tool' });
    await button('Show all orders').click();
    await fixture.main().getByRole('row').nth(13).waitFor();
    expect(await findAccessibilityViolations(fixture.page, { within: 'main' })).toEqual([]);
  });
});

test('My Orders shows a new order, and its payment starts, without asking the shop for the order again', async () => {
  const { page } = fixture;
  await fixture.fillOrder(fixture.tool.minimumOrderQuantity);
  await page.waitForLoadState('networkidle');
  const { release } = await holdRequests(page, /\/order[/?]/, 'GET');
  await fixture.placeOrderButton().click();
  await fixture.main().getByRole('region', { name: 'Your new order' }).getByRole('link').click();
  await fillCardForm(page, CARDS.pays);
  await page.getByRole('button', { name: 'PAY', disabled: false }).waitFor();
  release();
});
