import { callShop, shopOrigin } from '../../support/api';
import { findDisplayProblems, waitForToast } from '../../support/assertions';
import { browserFixture, holdRequests, NETWORK_ERROR, storedToken } from '../../support/browser';
import { query } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { signInAsDemoUser } from '../../support/session';
import { listTools, setStock } from '../../support/tools';
import { expectEventually, waitUntil } from '../../support/wait';
import { insertOrders, newProductName, createManageOrdersDriver, placePaidOrder, readOrder } from './ordersToManage';

const fixture = browserFixture();
const { main, toggle, open } = createManageOrdersDriver(fixture);

beforeEach(() => signInAsDemoUser(fixture.page, 'admin'));

async function callAsAdmin(method: string, path: string, body: object) {
  const token = (await storedToken(fixture.page)) ?? undefined;
  return callShop(shopOrigin(), path, { method, token, body });
}

async function openPaidOrder() {
  const { order, toolId } = await placePaidOrder();
  const readStock = async () => (await listTools()).find(({ _id }) => _id === toolId)!.availableQuantity;
  const stockBefore = await readStock();
  await open('paid', order.productName);
  await toggle(order.productName).click();
  return { order, readStock, stockBefore };
}

test('refunding an order shows the amount and asks for a reason, and a double click sends one refund', async () => {
  const { page } = fixture;
  const { order, readStock, stockBefore } = await openPaidOrder();
  await main().getByRole('button', { name: 'Refund…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this order?' });
  await dialog.getByText('$360 goes back to Bo Buyer: the whole payment for').waitFor();
  await dialog.getByRole('button', { name: 'Refund $360' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Reason is required' }).waitFor();
  expect((await readOrder(order._id)).refunds).toBe(0);
  await openKeyboard(page).expectFocus(dialog.getByLabel('Reason'));
  await dialog.getByLabel('Reason').fill('Broken in transit');
  expect(await dialog.getByLabel('Pieces back in stock').inputValue()).toBe('20');
  const held = await holdRequests(page, '**/order/*/refund');
  await dialog.getByRole('button', { name: 'Refund $360' }).dblclick();
  await waitUntil(() => held.countRequests() > 0);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Refund $360' }).and(dialog.locator('[aria-busy]')).waitFor();
  held.release();
  await waitForToast(page, 'Order refunded');
  expect(held.countRequests()).toBe(1);
  await openKeyboard(page).expectFocus(toggle(order.productName));
  await main().getByText('Broken in transit', { exact: true }).waitFor();
  expect(await main().getByRole('button', { name: 'Refund…' }).count()).toBe(0);
  expect(await readOrder(order._id)).toMatchObject({ state: 'refunded', refunds: 1 });
  await expectEventually(readStock, stockBefore + 20);
});

test('an order that an admin opens while another is being shipped stays open, with what they type', async () => {
  const { page } = fixture;
  const product = newProductName();
  const [id] = await insertOrders({ product, count: 3 });
  await open('paid', product);
  const formOf = (n: number) => main().getByRole('form', { name: `Ship 5 × ${product} ${n} to Ann Lee`, exact: true });
  await toggle(new RegExp(`${product} 1$`)).click();
  await formOf(1).getByLabel('Carrier').fill('Heron Freight');
  await formOf(1).getByLabel('Tracking number').fill('HF-1');
  const held = await holdRequests(page, '**/order/*/shipment');
  await formOf(1).getByRole('button', { name: 'Ship', exact: true }).click();
  await waitUntil(() => held.countRequests() > 0);
  await toggle(new RegExp(`${product} 2$`)).click();
  await formOf(2).getByLabel('Note to the customer').fill('Two crates');
  held.release();
  await waitForToast(page, 'Order shipped');
  expect((await readOrder(id!)).tracking).toBe('HF-1');
  await openKeyboard(page).expectFocus(formOf(2).getByLabel('Note to the customer'));
  expect(await formOf(2).getByLabel('Note to the customer').inputValue()).toBe('Two crates');
});

test('a refund that is sent again can be given up in its dialog', async () => {
  const { page } = fixture;
  fixture.visitor.allowedErrors.push(NETWORK_ERROR);
  await openPaidOrder();
  await main().getByRole('button', { name: 'Refund…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this order?' });
  await dialog.getByLabel('Reason').fill('Broken in transit');
  await page.route('**/order/*/refund', (route) => route.abort('connectionreset'));
  await dialog.getByRole('button', { name: 'Refund $360' }).click();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
});

test('an admin can refund some pieces, and then others', async () => {
  const { page } = fixture;
  const { readStock, stockBefore } = await openPaidOrder();
  const dialog = page.getByRole('dialog', { name: 'Refund this order?' });
  for (const [pieces, amount, total] of [
    ['2', '$36', 'Refunded $36 (2 of 20 pieces)'],
    ['3', '$54', 'Refunded $90 (5 of 20 pieces)'],
  ] as const) {
    await main().getByRole('button', { name: 'Refund…' }).click();
    await dialog.getByLabel('Pieces to refund').fill('21');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).waitFor();
    await dialog.getByLabel('Pieces to refund').fill(pieces);
    expect(await dialog.getByLabel('Pieces back in stock').inputValue()).toBe(pieces);
    await dialog.getByLabel('Pieces back in stock').fill('1');
    await dialog.getByLabel('Reason').fill('Bent');
    await dialog.getByRole('button', { name: `Refund ${amount}` }).click();
    await main().getByRole('cell').getByText(total, { exact: true }).first().waitFor();
  }
  await expectEventually(readStock, stockBefore + 2);
});

test('an admin can refund an order again after its first refund has failed', async () => {
  const { page } = fixture;
  const { order } = await placePaidOrder();
  expect((await callAsAdmin('POST', `/order/${order._id}/refund`, { reason: 'Canceled', restock: true })).status).toBe(
    200,
  );
  await query(
    `with failed as (update refunds set state = 'failed' where order_id = $1 returning refund_id)
     update embedded_stripe.refunds r set status = 'failed' from failed where r.id = failed.refund_id`,
    [order._id],
  );
  await query('update orders set refund_failed = true where id = $1', [order._id]);
  await open('refunded', order.productName);
  await main().getByText('Refund failed', { exact: true }).waitFor();
  await toggle(order.productName).click();
  await main().getByRole('button', { name: 'Refund…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this order?' });
  expect(await dialog.getByLabel('Pieces back in stock').count()).toBe(0);
  await dialog.getByLabel('Reason').fill('Second try');
  await dialog.getByRole('button', { name: 'Refund $360' }).click();
  await waitForToast(page, 'Order refunded');
  await main().getByText('Refund failed', { exact: true }).waitFor({ state: 'detached' });
  await main().getByText('Second try', { exact: true }).waitFor();
});

test('shipping an order that another admin has just refunded shows an error and that the order has been refunded', async () => {
  const { page } = fixture;
  const { order } = await placePaidOrder();
  await open('paid', order.productName);
  await toggle(order.productName).click();
  await main().getByLabel('Carrier').fill('Heron Freight');
  await main().getByLabel('Tracking number').fill('HF-1');
  expect((await callAsAdmin('POST', `/order/${order._id}/refund`, { reason: 'Canceled', restock: true })).status).toBe(
    200,
  );
  await page.keyboard.press('Enter');
  const conflict = main().getByRole('alert').getByText('This page now shows the latest version of the order.');
  await conflict.waitFor();
  await openKeyboard(page).expectFocus(conflict);
  await main().getByText("This order can't ship: its payment was refunded.").waitFor();
  await main().getByText('Canceled', { exact: true }).waitFor();
  await main().getByRole('cell', { name: 'Refunded', exact: true }).waitFor();
  expect(await main().getByRole('button', { name: 'Ship', exact: true }).count()).toBe(0);
  expect((await readOrder(order._id)).tracking).toBeNull();
});

test('an admin can offer a price once there is enough stock, and the focus moves to the next order', async () => {
  const { page } = fixture;
  const product = newProductName();
  const { toolId } = await placePaidOrder();
  const ids = await insertOrders({ product, count: 2, status: 'unpriced' });
  await query('update orders set tool_id = $2, quantity = 700 where id = any($1)', [ids, toolId]);
  await open('unpriced', product);
  await toggle(`${product} 2`).click();
  await main().getByRole('button', { name: 'Offer this price' }).click();
  await main().getByRole('alert').getByText('Price per piece is required', { exact: true }).waitFor();
  await main().getByLabel('Price per piece').fill('12');
  await main().getByText('Total: $8,400. List price: $18. In stock: 620. Restock the tool first.').waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Offer this price?' });
  await dialog.getByText('$12 each, $8,400 in all').waitFor();
  await dialog.getByRole('button', { name: 'Offer this price' }).click();
  await main().getByRole('alert').getByText("There isn't enough stock for this order.").waitFor();
  await setStock(toolId, 1_000);
  await main().getByRole('button', { name: 'Offer this price' }).click();
  await dialog.getByRole('button', { name: 'Offer this price' }).click();
  await waitForToast(page, 'Price offered');
  const next = main().getByRole('form', { name: `Offer a price to Ann Lee for 700 × ${product} 1` });
  await openKeyboard(page).expectFocus(next.getByLabel('Price per piece'));
  expect(await readOrder(ids[1]!)).toMatchObject({ state: 'unpaid', unit_price: 12 });
});

test('an admin corrects an offered price, and is asked once more if it may be a typing mistake', async () => {
  const { page } = fixture;
  const product = newProductName();
  const { toolId } = await placePaidOrder();
  const [id] = await insertOrders({ product, status: 'unpriced' });
  await query('update orders set tool_id = $2 where id = $1', [id, toolId]);
  expect((await callAsAdmin('PUT', `/order/${id}/price`, { price: 17 })).status).toBe(200);
  await open('unpaid', product);
  await toggle(product).click();
  await main().getByRole('button', { name: 'Correct the price' }).click();
  const form = main().getByRole('form', { name: `Correct the price for Ann Lee for 5 × ${product}` });
  await openKeyboard(page).expectFocus(form.getByLabel('Price per piece'));
  await page.keyboard.type('170');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Correct the price?' });
  await dialog.getByText('$170 each, $850 in all').waitFor();
  expect(await findDisplayProblems(page, 'correcting a price')).toEqual([]);
  await dialog.getByRole('button', { name: 'Correct the price' }).dblclick();
  await dialog.getByText('$170 is more than twice the list price, $18. Is that right?').waitFor();
  expect(await findDisplayProblems(page, 'correcting a price')).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await form.getByLabel('Price per piece').fill('16');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Correct the price' }).click();
  await waitForToast(page, 'Price corrected');
  await openKeyboard(page).expectFocus(main().getByRole('button', { name: 'Correct the price' }));
  await main().getByText('$80 (5 × $16)').waitFor();
  expect(await readOrder(id!)).toMatchObject({ state: 'unpaid', unit_price: 16 });
});

test('an admin corrects a tracking number by keyboard, and it replaces the wrong one', async () => {
  const { page } = fixture;
  const keys = openKeyboard(page);
  const { order } = await placePaidOrder();
  await callAsAdmin('POST', `/order/${order._id}/shipment`, { carrier: 'UPS', tracking: '1Z 998' });
  await open('shipped', order.productName);
  await toggle(order.productName).click();
  const button = (name: string) => main().getByRole('button', { name, exact: true });
  await keys.activate(button('Correct the shipment'));
  const field = main().getByLabel('Tracking number', { exact: true });
  await keys.expectFocus(field);
  expect(await field.inputValue()).toBe('1Z 998');
  expect(await findDisplayProblems(page, 'correction', 'main')).toEqual([]);
  await field.fill('1Z 999');
  await keys.activate(button('Save and email the customer'));
  await waitForToast(page, 'Shipment corrected');
  await keys.expectFocus(button('Correct the shipment'));
  await main().getByText('1Z 999', { exact: true }).waitFor();
  expect(await readOrder(order._id)).toMatchObject({ tracking: '1Z 999' });
});

test('the menu says how many orders are to ship, and one less after the next one shipped', async () => {
  const { page } = fixture;
  const [{ order }] = [await placePaidOrder(), await placePaidOrder()];
  await open('paid', order.productName);
  const entry = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Manage All Orders' });
  const [counted] = await query<{ count: number }>(
    "select count(*)::int as count from orders where state = 'paid' and shipped_at is null",
  );
  const expectCount = (count: number) =>
    expectEventually(() => entry.getAttribute('aria-label'), `Manage All Orders, ${count} to ship`);
  await expectCount(counted!.count);
  expect(await findDisplayProblems(page, 'count in the menu', 'nav')).toEqual([]);
  await toggle(order.productName).click();
  await main().getByLabel('Carrier').fill('Heron Freight');
  await main().getByLabel('Tracking number').fill('HF-1');
  await page.keyboard.press('Enter');
  await expectCount(counted!.count - 1);
});
