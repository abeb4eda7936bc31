import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { allowError, holdRequests, newVisitor, NETWORK_ERROR } from '../../support/browser';
import {
  CARD_FRAME,
  CHALLENGE_FRAME,
  fetchOrder,
  payButton,
  payWithCard,
  insertShipment,
  fillCardForm,
  withUnpaidOrder,
} from '../../support/checkout';
import { signInAs } from '../../support/session';
import { openKeyboard } from '../../support/keyboard';
import { CARDS, PAYING_CARD_DIGITS } from '../../support/cards';

const fixture = withUnpaidOrder();
const { openPayment, alert, expectAccessible } = fixture;
const completedTitle = { name: SPEC_MESSAGES.paymentCompleted };
const waitUntilCompleted = (page = fixture.page) => page.getByRole('heading', completedTitle).waitFor();
const waitForReceipt = (page = fixture.page) => page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
const waitUntilPaid = (page = fixture.page) => Promise.all([waitUntilCompleted(page), waitForReceipt(page)]);
const isOrderPaid = async () => (await fetchOrder(fixture.page, fixture.order._id)).paid;
const challenge = () => fixture.page.frameLocator(CHALLENGE_FRAME);

// Clauses A.1.2, A.2.9, A.2.31, A.2.36, A.4.6, A.4.8, A.4.11, A.8.10, A.9.3, C.11.5
test('the payment page shows the order and its total, and a valid card pays it without leaving a secret in the browser', async () => {
  expect(fixture.visitor.requests.filter((url) => url.includes('/v1/sandbox/'))).toEqual([]);
  await openPayment();
  await fixture.page.getByRole('heading', { name: SPEC_MESSAGES.completePayment }).waitFor();
  for (const text of [
    SPEC_MESSAGES.payingFor,
    fixture.order.productName,
    SPEC_MESSAGES.shippedLog,
    `Total $ ${fixture.order.total}`,
  ])
    await fixture.page.getByText(text, { exact: true }).waitFor();
  await fixture.page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').waitFor();
  await payWithCard(fixture.page, CARDS.pays);
  await waitUntilCompleted();
  await openKeyboard(fixture.page).expectFocus(
    fixture.page.getByRole('heading', { name: SPEC_MESSAGES.paymentCompleted }),
  );
  const shown = await fixture.page.getByText(/^pi_\w+$/).textContent();
  await fixture.visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await fixture.page.getByRole('main').getByRole('button', { name: 'Copy', exact: true }).click();
  await fixture.page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  expect(await fixture.page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  await fixture.page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  expect(await fetchOrder(fixture.page, fixture.order._id)).toMatchObject({ paid: true, transactionId: shown });
  const stored = await fixture.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  const withoutTokens = stored.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '');
  for (const secret of [/_secret_|pi_/, PAYING_CARD_DIGITS]) expect(withoutTokens).not.toMatch(secret);
  expect(fixture.page.url()).not.toContain('secret');

  await fixture.page.getByRole('main').getByRole('link', { name: 'My Orders' }).click();
  await fixture.page.getByRole('cell', { name: SPEC_MESSAGES.paid }).waitFor();
  await fixture.page.getByRole('link', { name: 'Pay', exact: true }).waitFor({ state: 'detached' });
});

// Clause A.4.10
test('PAY is disabled until the client secret has arrived, and a double click confirms the payment once', async () => {
  const { release } = await holdRequests(fixture.page, '**/create-payment-intent*');
  await openPayment();
  await fixture.page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').waitFor();
  expect(await payButton(fixture.page).isDisabled()).toBe(true);
  release();
  await fillCardForm(fixture.page, CARDS.pays);
  await payButton(fixture.page).and(fixture.page.locator(':enabled')).waitFor();
  await payButton(fixture.page).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.form!.requestSubmit();
    button.click();
  });
  await waitUntilCompleted();
  expect(fixture.visitor.requests.filter((url) => url.endsWith('/confirm'))).toHaveLength(1);
  expect(fixture.visitor.requests.filter((url) => url.endsWith('/v1/payment_methods'))).toHaveLength(1);
});

// Clause A.8.3
test('if a card is declined, the payment page shows the provider’s message in red and another card can pay', async () => {
  await openPayment();
  await payWithCard(fixture.page, CARDS.declined);
  await alert().getByText('Your card was declined.').waitFor();
  const red = await alert()
    .first()
    .evaluate((element) => getComputedStyle(element).color);
  expect(red).toBe('rgb(179, 38, 30)');
  expect(await isOrderPaid()).toBe(false);
  await payWithCard(fixture.page, CARDS.pays);
  await waitUntilPaid();
  expect(await isOrderPaid()).toBe(true);
});

test('a card that requires authentication is charged only if authentication succeeds', async () => {
  await openPayment();
  await payWithCard(fixture.page, CARDS.authenticationRequired);
  await challenge().getByRole('button', { name: 'Fail authentication' }).click();
  await alert().getByText('We are unable to authenticate your payment method.').waitFor();
  expect(await isOrderPaid()).toBe(false);
  await payWithCard(fixture.page, CARDS.authenticationRequired);
  await challenge().getByRole('button', { name: 'Complete authentication' }).click();
  await waitUntilPaid();
  expect(await isOrderPaid()).toBe(true);
});

test('an order can still be paid after its page was reloaded during authentication', async () => {
  await openPayment();
  await payWithCard(fixture.page, CARDS.authenticationRequired);
  await challenge().getByRole('button', { name: 'Complete authentication' }).waitFor();
  await fixture.page.reload();
  await payWithCard(fixture.page, CARDS.pays);
  await waitUntilPaid();
  expect(await isOrderPaid()).toBe(true);
});

test('an order is shown as paid even if its page was closed right after the payment', async () => {
  await openPayment();
  await fillCardForm(fixture.page, CARDS.pays);
  await fixture.page.route('**/order/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  const confirmed = fixture.page.waitForResponse((response) => response.url().endsWith('/confirm'));
  await payButton(fixture.page).click();
  await confirmed;
  await fixture.page.close();

  fixture.page = await fixture.visitor.context.newPage();
  await openPayment();
  await waitUntilPaid();
  expect(await fixture.page.locator(CARD_FRAME).count()).toBe(0);
  allowError(fixture.visitor, NETWORK_ERROR);
});

test('a payment that succeeds while the shop can’t be reached is shown immediately and recorded later', async () => {
  await openPayment();
  await fillCardForm(fixture.page, CARDS.pays);
  await fixture.page.route('**/order/*', (route) => route.abort());
  await payButton(fixture.page).click();
  await waitUntilCompleted();
  await alert().getByText('Your payment went through.', { exact: false }).waitFor();
  await fixture.page.unroute('**/order/*');
  await fixture.page.getByRole('button', { name: 'Update now' }).click();
  await fixture.page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  allowError(fixture.visitor, NETWORK_ERROR);
});

test('a payment that the webhook records is shown as paid, and the page stops polling after the shipment', async () => {
  await fixture.page.clock.install();
  await fixture.page.goto('/dashboard/myorder');
  await fixture.page.getByRole('link', { name: 'Pay', exact: true }).click();
  await fixture.page.route('**/order/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await payWithCard(fixture.page, CARDS.pays);
  await waitUntilPaid();
  await insertShipment(fixture.order._id);
  await fixture.page.clock.runFor(1000);
  await fixture.page.getByText('Shipped with UPS').waitFor();
  const countReads = () => fixture.visitor.requests.filter((url) => url.endsWith(`/order/${fixture.order._id}`)).length;
  const readsBefore = countReads();
  await fixture.page.clock.runFor(10_000);
  await fixture.page.getByRole('main').getByRole('link', { name: 'My Orders' }).click();
  await fixture.page.getByRole('cell', { name: SPEC_MESSAGES.paid }).waitFor();
  expect(countReads()).toBe(readsBefore);
  allowError(fixture.visitor, NETWORK_ERROR);
});

// Clause C.8.4
test('after paying in two tabs and on a second device, all three pages show the same transaction', async () => {
  const other = await newVisitor(fixture.browser, shopOrigin());
  await signInAs(other.page, fixture.email);
  const tab = await fixture.visitor.context.newPage();
  const pages = [fixture.page, tab, other.page];
  for (const page of pages) {
    await openPayment(page);
    await fillCardForm(page, CARDS.pays);
  }
  await Promise.all(pages.map((page) => payButton(page).click()));
  // A page that learns from another tab that the order is paid shows only the receipt.
  for (const page of pages) await waitForReceipt(page);
  const ids = await Promise.all(pages.map((page) => page.getByText(/^pi_\w+$/).textContent()));
  expect(new Set(ids).size).toBe(1);
  expect(await isOrderPaid()).toBe(true);
  await other.context.close();
});

// Clauses A.4.7, C.7.2
test('the payment page asks for confirmation before it deletes the order, which is not found afterwards', async () => {
  await openPayment();
  await fixture.page.getByRole('button', { name: 'Delete this order' }).click();
  const dialog = fixture.page.getByRole('dialog', { name: SPEC_MESSAGES.areYouSure });
  await dialog.waitFor();
  await fixture.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await fixture.page.getByRole('button', { name: 'Delete this order' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await fixture.page.waitForURL('**/dashboard/myorder');
  await openPayment();
  await fixture.page.getByRole('heading', { name: 'Order not found' }).waitFor();
  await expectAccessible();
});
