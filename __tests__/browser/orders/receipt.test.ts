import { formatWithCommas } from '../../../src/contract/formatWithCommas';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { findDisplayProblems } from '../../support/assertions';
import { browserFixture, dispatchWindowFocus, newVisitor } from '../../support/browser';
import { callAsPageUser, fetchOrder, payOrder, placeOrder } from '../../support/checkout';
import { query } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { signInAsDemoUser, signInAsNewUser } from '../../support/session';
import { expectEventually } from '../../support/wait';

const TOKYO = { timezoneId: 'Asia/Tokyo', viewport: { width: 1280, height: 800 } };
const SHIPMENT = { carrier: 'UPS', tracking: '1Z 999', link: 'https://ups.example/1Z', note: 'At gate 3.' };

/** Inserts a shipment directly, as if an admin had shipped the order. */
async function insertShipment(orderId: string): Promise<void> {
  await query('update orders set shipped_at = now() where id = $1', [orderId]);
  await query(`insert into shipments (order_id, carrier, tracking) values ($1, 'UPS', '1Z')`, [orderId]);
}

const fixture = browserFixture(shopOrigin, TOKYO);
const main = () => fixture.page.getByRole('main');
let order: Awaited<ReturnType<typeof placeOrder>>;
const path = () => `/dashboard/payment/${order._id}`;
const countReads = () => fixture.visitor.requests.filter((url) => url.endsWith(`/order/${order._id}`)).length;

beforeEach(async () => {
  await signInAsNewUser(fixture.page);
  order = await placeOrder(fixture.page);
  await payOrder(fixture.page, order);
});

async function openReceipt(status: string = SPEC_MESSAGES.paid) {
  await fixture.page.goto(path());
  await main().getByText(status, { exact: true }).waitFor();
}

async function openAdmin() {
  const admin = await newVisitor(fixture.browser, shopOrigin());
  await signInAsDemoUser(admin.page, 'admin');
  return {
    ship: () => callAsPageUser(admin.page, 'POST', `/order/${order._id}/shipment`, SHIPMENT),
    refund: () => callAsPageUser(admin.page, 'POST', `/order/${order._id}/refund`, { reason: 'broken', restock: true }),
    close: () => admin.context.close(),
  };
}

/** Simulates that the tab is hidden or shown again. */
const setVisibility = (state: 'hidden' | 'visible') =>
  fixture.page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);

test('the receipt of a paid order shows its details, with dates in the time zone of the browser', async () => {
  await query(`update orders set reference = 'PO 4711' where id = $1`, [order._id]);
  await openReceipt();
  const stored = await fetchOrder(fixture.page, order._id);
  const text = await main().innerText();
  const shown = [
    order.productName,
    `Total $ ${formatWithCommas(order.total)}`,
    order._id,
    stored.transactionId!,
    `Invoice ${stored.invoice}`,
    stored.email,
    'Visa ending in 4242',
    '1 Main Street',
    '555 0100',
    'PO 4711',
  ];
  for (const part of [...shown, '20 pieces at $18 each', 'works@forgeline.example']) expect(text).toContain(part);
  const dates = await main()
    .locator('time')
    .evaluateAll((times) => times.map((time) => [time.getAttribute('datetime'), time.textContent]));
  const inTokyo = new Intl.DateTimeFormat('en-US', {
    timeZone: 'Asia/Tokyo',
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const expected = [stored.placedAt, stored.paidAt!].map((at) => [at, `${inTokyo.format(new Date(at))} GMT+9`]);
  const plain = (value: unknown) => JSON.stringify(value).replaceAll('\u202f', ' ');
  expect(plain(dates)).toBe(plain(expected));
  expect(text).not.toContain(SPEC_MESSAGES.shippedLog);
  expect(text).not.toContain(SPEC_MESSAGES.paymentCompleted);
});

test('a receipt is loaded again every 30 seconds while its tab is visible, and when it becomes visible, until it is shipped', async () => {
  const admin = await openAdmin();
  await fixture.page.clock.install();
  await openReceipt();
  await main().getByText("We haven't shipped this order yet.", { exact: false }).waitFor();
  const readsAtFirst = countReads();
  await fixture.page.clock.runFor(29_000);
  expect(countReads()).toBe(readsAtFirst);
  await fixture.page.clock.runFor(2_000);
  await expectEventually(countReads, readsAtFirst + 1);
  await setVisibility('hidden');
  await admin.ship();
  await fixture.page.clock.runFor(90_000);
  expect(countReads()).toBe(readsAtFirst + 1);
  await setVisibility('visible');
  await main().getByText('Shipped', { exact: true }).waitFor();
  const entry = main().getByRole('article').getByRole('listitem');
  expect(await entry.innerText()).toMatch(/Shipped with UPS, tracking number 1Z 999\s+At gate 3\.\s+Track the package/);
  expect(await entry.getByRole('link').getAttribute('href')).toBe(SHIPMENT.link);
  const readsBefore = countReads();
  await fixture.page.clock.runFor(90_000);
  expect(countReads()).toBe(readsBefore);
  await admin.close();
});

test('My Orders links a shipped order to its invoice and its shipping log', async () => {
  await insertShipment(order._id);
  await fixture.page.setViewportSize({ width: 390, height: 844 });
  await fixture.page.goto('/dashboard/myorder');
  const link = main().getByRole('link', { name: `Track the package: ${order.productName}` });
  await link.waitFor();
  const { invoice } = await fetchOrder(fixture.page, order._id);
  const invoiceLink = main().getByRole('link', { name: `Invoice ${invoice}`, exact: true });
  expect(await invoiceLink.getAttribute('href')).toBe(path());
  expect(await findDisplayProblems(fixture.page, 'shipped order')).toEqual([]);
  await link.click();
  await main().getByRole('link', { name: 'Track the package (opens a new tab)' }).waitFor();
});

test('a refunded order is marked as refunded on the receipt and in My Orders', async () => {
  const admin = await openAdmin();
  await openReceipt();
  await admin.refund();
  await dispatchWindowFocus(fixture.page);
  await main().getByText('Refunded', { exact: true }).waitFor();
  await main().getByText('We refunded $360.', { exact: false }).waitFor();
  await main().getByRole('link', { name: 'My Orders' }).click();
  const cells = main().getByRole('row').nth(1).getByRole('cell');
  await cells.getByText('Refunded', { exact: true }).waitFor();
  expect(await cells.last().innerText()).toBe('Refunded');
  expect(await cells.last().locator('a, button').count()).toBe(0);
  await cells.getByRole('link', { name: order.productName, exact: true }).click();
  await fixture.page.waitForURL((url) => url.pathname === path());
  await main().getByText('Refunded', { exact: true }).waitFor();
  await admin.close();
});

test('a receipt and Manage All Orders show a refund of part of the payment', async () => {
  const { transactionId } = await fetchOrder(fixture.page, order._id);
  await query(
    `insert into refunds (payment_id, order_id, amount_cents, currency, reason, state)
     select intent_id, order_id, 550, currency, 'at Stripe', 'succeeded' from payments where intent_id = $1`,
    [transactionId],
  );
  await openReceipt();
  await main().getByText('We refunded $5.50 of $360.', { exact: false }).waitFor();
  await main().getByText('Refunded $5.50. You paid $354.50 in all.', { exact: true }).waitFor();
  await main().getByText('Refunded $5.50', { exact: true }).waitFor();
  expect(await findDisplayProblems(fixture.page, 'partly refunded receipt')).toEqual([]);
  const admin = await newVisitor(fixture.browser, shopOrigin());
  await signInAsDemoUser(admin.page, 'admin');
  await admin.page.goto(`/dashboard/manageallorders?status=all&q=${order._id}`);
  await admin.page.getByRole('cell').getByText('Refunded $5.50', { exact: true }).waitFor();
  await admin.page.getByRole('button', { name: order.productName }).click();
  await admin.page.getByRole('term').getByText('Refunded $5.50', { exact: true }).waitFor();
  await admin.page.getByRole('button', { name: 'Refund…' }).click();
  await admin.page.getByRole('button', { name: 'Refund $354.50' }).waitFor();
  expect(await findDisplayProblems(admin.page, 'partly refunded order')).toEqual([]);
  await admin.context.close();
});

test('the receipt shows a requested refund, a refund that failed, and an open and a lost dispute', async () => {
  await openReceipt();
  const expectSentence = async (sentence: string) => {
    await dispatchWindowFocus(fixture.page);
    await main().getByText(sentence, { exact: false }).waitFor();
  };
  for (const [change, sentence] of [
    [`dispute = 'open'`, 'This payment is disputed. Your bank is reviewing it.'],
    [`dispute = 'lost'`, 'This payment was disputed, and your bank returned $360.'],
    ['dispute = null, refund_failed = true', "Your refund didn't go through."],
  ] as const) {
    await query(`update orders set ${change} where id = $1`, [order._id]);
    await expectSentence(sentence);
  }
  await query('update orders set refund_failed = false where id = $1', [order._id]);
  // With `checked_at` in the future, the shop's sweep does not send the refund meanwhile.
  await query(
    `insert into refunds (intent_id, order_id, amount_cents, currency, reason, state, checked_at)
     select intent_id, order_id, amount_cents, currency, 'broken', 'requested', now() + interval '1 hour'
     from payments where order_id = $1`,
    [order._id],
  );
  await expectSentence("We're refunding $360 to your card.");
});

test('the receipt prints on one page, with dark text and without navigation', async () => {
  await insertShipment(order._id);
  await fixture.page.emulateMedia({ colorScheme: 'dark' });
  await openReceipt('Shipped');
  for (const format of ['A4', 'Letter']) {
    const pdf = (await fixture.page.pdf({ format, margin: { top: '1.5cm', bottom: '1.5cm' } })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  }
  await fixture.page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  for (const part of ['header', 'footer', 'nav', 'button'])
    expect(await fixture.page.locator(part).first().isVisible()).toBe(false);
  expect(await main().evaluate((element) => getComputedStyle(element).color)).toBe('rgb(22, 24, 27)');
});

test('on paper, the product is a line of a table, and nothing is said about a shipment that will come', async () => {
  await openReceipt();
  const table = main().getByRole('table');
  expect(await table.isVisible()).toBe(false);
  await fixture.page.emulateMedia({ media: 'print' });
  const cells = [order.productName, '20', '$18', '$360'];
  expect(await table.locator('tbody td').allInnerTexts()).toEqual(cells);
  expect(await main().innerText()).not.toContain("We haven't shipped this order yet.");
});

test('a receipt with a long product name and address is accessible, fits every display and can be used by keyboard', async () => {
  await insertShipment(order._id);
  await query(`update orders set product_name = repeat('w', 120), address = repeat('a', 300) where id = $1`, [
    order._id,
  ]);
  await openReceipt('Shipped');
  expect(await findDisplayProblems(fixture.page, 'receipt')).toEqual([]);
  const keys = openKeyboard(fixture.page);
  await keys.tabTo(main().getByRole('link', { name: 'Track the package (opens a new tab)' }));
  await keys.activate(main().getByRole('link', { name: 'My Orders' }));
  await keys.expectPage('My Orders');
  expect(keys.focusProblems).toEqual([]);
});
