import { orderNumber } from '../../../src/contract/orderNumber';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { holdRequests, newVisitor, NETWORK_ERROR } from '../../support/browser';
import { CARD_FRAME, fetchOrder, payWithCard, fillCardForm } from '../../support/checkout';
import { signInAs, mainButton } from '../../support/session';
import { openKeyboard } from '../../support/keyboard';
import { CARDS } from '../../support/cards';
import { withUnpaidOrder } from './withUnpaidOrder';

const CHALLENGE_FRAME = 'iframe[title="Payment authentication (test mode)"]';
/** The number of the card that pays, or its last four digits. Four digits within a random id are neither. */
const PAYING_CARD_DIGITS = /4242 ?4242|(?<![\w-])4242(?![\w-])/;

const fixture = withUnpaidOrder();
const { openPayment, alert, expectAccessible } = fixture;
const completedTitle = { name: SPEC_MESSAGES.paymentCompleted };
const waitUntilCompleted = (page = fixture.page) => page.getByRole('heading', completedTitle).waitFor();
const waitForReceipt = (page = fixture.page) => page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
const waitUntilPaid = (page = fixture.page) => Promise.all([waitUntilCompleted(page), waitForReceipt(page)]);
const isOrderPaid = async () => (await fetchOrder(fixture.page, fixture.order._id)).paid;
const challenge = () => fixture.page.frameLocator(CHALLENGE_FRAME);

// Clauses A.1.2, A.2.9, A.2.31, A.2.36, A.4.6, A.4.8, A.4.10, A.4.11, A.8.10, A.9.3, C.11.5
test('the payment page shows the order, and a valid card pays it once in spite of a double click, without leaving a secret in the browser', async () => {
  expect(fixture.visitor.requests.filter((url) => url.includes('/v1/sandbox/'))).toEqual([]);
  const { release } = await holdRequests(fixture.page, '**/create-payment-intent*');
  await openPayment();
  await fixture.page.getByRole('heading', { name: SPEC_MESSAGES.completePayment }).waitFor();
  for (const text of [
    SPEC_MESSAGES.payingFor,
    fixture.order.productName,
    SPEC_MESSAGES.shippedLog,
    `Total $ ${fixture.order.total}`,
    orderNumber(fixture.order._id),
  ])
    await fixture.page.getByText(text, { exact: true }).waitFor();
  await fixture.page.getByRole('region', { name: 'Your order' }).getByText('Held for you until').waitFor();
  await fixture.page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').waitFor();
  expect(await mainButton(fixture.page, 'PAY').isDisabled()).toBe(true);
  release();
  await fillCardForm(fixture.page, CARDS.pays);
  await mainButton(fixture.page, 'PAY').and(fixture.page.locator(':enabled')).waitFor();
  await mainButton(fixture.page, 'PAY').evaluate((button: HTMLButtonElement) => {
    button.click();
    button.form!.requestSubmit();
    button.click();
  });
  await waitUntilCompleted();
  for (const call of ['/confirm', '/v1/payment_methods'])
    expect(fixture.visitor.requests.filter((url) => url.endsWith(call))).toHaveLength(1);
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

// Clause A.8.3
test('a declined card is reported in red, and after failed authentication and a reload during another one the order can still be paid', async () => {
  await openPayment();
  await payWithCard(fixture.page, CARDS.declined);
  await alert().getByText('Your card was declined.').waitFor();
  const red = await alert()
    .first()
    .evaluate((element) => getComputedStyle(element).color);
  expect(red).toBe('rgb(179, 38, 30)');
  await payWithCard(fixture.page, CARDS.authenticationRequired);
  await challenge().getByRole('button', { name: 'Fail authentication' }).click();
  await alert()
    .getByText(/^We are unable to authenticate your payment method\. .*You weren't charged\./)
    .waitFor();
  expect(await isOrderPaid()).toBe(false);
  await payWithCard(fixture.page, CARDS.authenticationRequired);
  await challenge().getByRole('button', { name: 'Complete authentication' }).waitFor();
  await fixture.page.reload();
  await payWithCard(fixture.page, CARDS.authenticationRequired);
  await challenge().getByRole('button', { name: 'Complete authentication' }).click();
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
  await mainButton(fixture.page, 'PAY').click();
  await confirmed;
  await fixture.page.close();

  fixture.page = await fixture.visitor.context.newPage();
  await openPayment();
  await waitUntilPaid();
  expect(await fixture.page.locator(CARD_FRAME).count()).toBe(0);
  fixture.visitor.allowedErrors.push(NETWORK_ERROR);
});

// Clause C.8.4
test('after paying on two devices, both pages show the same transaction', async () => {
  const other = await newVisitor(fixture.browser, shopOrigin());
  await signInAs(other.page, fixture.email);
  const pages = [fixture.page, other.page];
  for (const page of pages) {
    await openPayment(page);
    await fillCardForm(page, CARDS.pays);
  }
  await Promise.all(pages.map((page) => mainButton(page, 'PAY').click()));
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
