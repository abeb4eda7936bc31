import type { Page } from 'playwright-core';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { allowError, holdRequests, newVisitor, NO_ANSWER } from '../../support/browser';
import {
  CARD_FRAME,
  CHALLENGE_FRAME,
  orderOf,
  payButton,
  payWith,
  typeCard,
  withFreshPayer,
} from '../../support/checkout';
import { signInAs, signInAsNewUser } from '../../support/session';
import { keyboardOf } from '../../support/keyboard';
import { CARDS } from '../../support/cards';

const here = withFreshPayer();
const { openPayment, alert, accessible } = here;
const isDone = (on: Page = here.page) => on.getByRole('heading', { name: SPEC_MESSAGES.paymentDone }).waitFor();
const isPaid = async (on: Page = here.page) => {
  await isDone(on);
  await on.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
};
const paid = async () => (await orderOf(here.page, here.order._id)).paid;
const challenge = () => here.page.frameLocator(CHALLENGE_FRAME);

// Clauses A.1.2, A.2.9, A.2.31, A.2.36, A.4.6, A.4.8, A.4.11, A.8.10, A.9.3
test('the page says what is paid for, and a good card pays it', async () => {
  await openPayment();
  await here.page.getByRole('heading', { name: SPEC_MESSAGES.completePayment }).waitFor();
  for (const text of [
    SPEC_MESSAGES.payingFor,
    here.order.productName,
    SPEC_MESSAGES.shippedLog,
    `Total $ ${here.order.total}`,
  ])
    await here.page.getByText(text, { exact: true }).waitFor();
  await here.page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').waitFor();
  await payWith(here.page, CARDS.pays);
  await isDone();
  await keyboardOf(here.page).isOn(here.page.getByRole('heading', { name: SPEC_MESSAGES.paymentDone }));
  const shown = await here.page.getByText(/^pi_\w+$/).textContent();
  await here.visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await here.page.getByRole('main').getByRole('button', { name: 'Copy', exact: true }).click();
  await here.page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  expect(await here.page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  await here.page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  expect(await orderOf(here.page, here.order._id)).toMatchObject({ paid: true, transactionId: shown });

  await here.page.getByRole('main').getByRole('link', { name: 'My Orders' }).click();
  await here.page.getByRole('cell', { name: SPEC_MESSAGES.paid }).waitFor();
  await here.page.getByRole('link', { name: 'Pay', exact: true }).waitFor({ state: 'detached' });
});

// Clause A.4.10
test('PAY waits for the secret, and is pressed once', async () => {
  const { letGo } = await holdRequests(here.page, '**/create-payment-intent*');
  await openPayment();
  await here.page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').waitFor();
  expect(await payButton(here.page).isDisabled()).toBe(true);
  letGo();
  await typeCard(here.page, CARDS.pays);
  await payButton(here.page).and(here.page.locator(':enabled')).waitFor();
  await payButton(here.page).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.form!.requestSubmit();
    button.click();
  });
  await isDone();
  expect(here.visitor.requests.filter((url) => url.endsWith('/confirm'))).toHaveLength(1);
  expect(here.visitor.requests.filter((url) => url.endsWith('/v1/payment_methods'))).toHaveLength(1);
});

test('PAY waits for the card form as well, and says so until the form’s script is there', async () => {
  const script = await holdRequests(here.page, '**/v1/sandbox/stripe.js', 'GET');
  let showForm = () => {};
  const form = new Promise<void>((resolve) => (showForm = resolve));
  await here.page.route('**/v1/sandbox/card', (route) => form.then(() => route.continue()));
  const secret = here.page.waitForResponse(/create-payment-intent/);
  await openPayment();
  await secret;
  const preparing = here.page.getByRole('main').getByRole('status').filter({ hasText: 'Preparing the payment' });
  await preparing.waitFor();
  expect(await payButton(here.page).isDisabled()).toBe(true);
  script.letGo();
  await preparing.waitFor({ state: 'detached' });
  expect(await payButton(here.page).isDisabled()).toBe(true);
  showForm();
  await payWith(here.page, CARDS.pays);
  await isPaid();
});

// Clause A.8.3
test('a declined card is told in the provider’s words, in red, and another card pays', async () => {
  await openPayment();
  await payWith(here.page, CARDS.declined);
  await alert().getByText('Your card was declined.').waitFor();
  const red = await alert()
    .first()
    .evaluate((element) => getComputedStyle(element).color);
  expect(red).toBe('rgb(179, 38, 30)');
  expect(await paid()).toBe(false);
  await payWith(here.page, CARDS.pays);
  await isPaid();
  expect(await paid()).toBe(true);
});

// Clauses A.8.3, C.8.8
test('what fails before the payment is shown, and nothing is confirmed', async () => {
  await openPayment();
  await here.page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').fill('4242 4242');
  await payButton(here.page).click();
  await alert().getByText('Your card number is incomplete.').waitFor();
  expect(here.visitor.requests.filter((url) => url.endsWith('/confirm'))).toEqual([]);
});

test('a card that asks for authentication pays when it is given, and not when it fails or is closed', async () => {
  await openPayment();
  for (const way of ['Fail authentication', 'Cancel']) {
    await payWith(here.page, CARDS.asks);
    await challenge().getByRole('button', { name: way }).click();
    await alert().getByText('We are unable to authenticate your payment method.').waitFor();
    expect(await paid()).toBe(false);
  }
  await payWith(here.page, CARDS.asks);
  await challenge().getByRole('button', { name: 'Complete authentication' }).click();
  await isPaid();
  expect(await paid()).toBe(true);
});

test('a page that is reloaded in the middle of the challenge can pay', async () => {
  await openPayment();
  await payWith(here.page, CARDS.asks);
  await challenge().getByRole('button', { name: 'Complete authentication' }).waitFor();
  await here.page.reload();
  await payWith(here.page, CARDS.pays);
  await isPaid();
  expect(await paid()).toBe(true);
});

test('a browser that is closed right after paying finds its order paid', async () => {
  await openPayment();
  await typeCard(here.page, CARDS.pays);
  await here.page.route('**/order/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  const confirmed = here.page.waitForResponse((response) => response.url().endsWith('/confirm'));
  await payButton(here.page).click();
  await confirmed;
  await here.page.close();

  here.page = await here.visitor.context.newPage();
  await openPayment();
  await isPaid();
  expect(await here.page.locator(CARD_FRAME).count()).toBe(0);
  allowError(here.visitor, NO_ANSWER);
});

test('success is not lost when the shop cannot be told', async () => {
  await openPayment();
  await typeCard(here.page, CARDS.pays);
  await here.page.route('**/order/*', (route) => route.abort());
  await payButton(here.page).click();
  await isDone();
  await alert().getByText('Your payment went through and is being recorded.', { exact: false }).waitFor();
  await here.page.unroute('**/order/*');
  await here.page.getByRole('button', { name: 'Record it now' }).click();
  await here.page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  allowError(here.visitor, NO_ANSWER);
});

test('a payment that the shop hears of without this page: shown as paid, asked for no more, and so in My Orders', async () => {
  await here.page.clock.install();
  await here.page.goto('/dashboard/myorder');
  await here.page.getByRole('link', { name: 'Pay', exact: true }).click();
  await here.page.route('**/order/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await payWith(here.page, CARDS.pays);
  await isPaid();
  const asked = () => here.visitor.requests.filter((url) => url.endsWith(`/order/${here.order._id}`)).length;
  const before = asked();
  await here.page.clock.runFor(10_000);
  await here.page.getByRole('main').getByRole('link', { name: 'My Orders' }).click();
  await here.page.getByRole('cell', { name: SPEC_MESSAGES.paid }).waitFor();
  expect(asked()).toBe(before);
  allowError(here.visitor, NO_ANSWER);
});

// Clause C.8.4
test('two tabs and two devices charge once', async () => {
  const other = await newVisitor(here.browser, shopOrigin());
  await signInAs(other.page, here.email);
  const tab = await here.visitor.context.newPage();
  const pages = [here.page, tab, other.page];
  for (const one of pages) {
    await openPayment(one);
    await typeCard(one, CARDS.pays);
  }
  await Promise.all(pages.map((one) => payButton(one).click()));
  for (const one of pages) await isPaid(one);
  const ids = await Promise.all(pages.map((one) => one.getByText(/^pi_\w+$/).textContent()));
  expect(new Set(ids).size).toBe(1);
  expect(await paid()).toBe(true);
  await other.context.close();
});

// Clauses A.4.7, C.7.2
test('an order can be deleted after one is sure, and is then not there', async () => {
  await openPayment();
  await here.page.getByRole('button', { name: 'Delete this order' }).click();
  const dialog = here.page.getByRole('dialog', { name: SPEC_MESSAGES.sure });
  await dialog.waitFor();
  await here.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await here.page.getByRole('button', { name: 'Delete this order' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await here.page.waitForURL('**/dashboard/myorder');
  await openPayment();
  await here.page.getByRole('heading', { name: 'Order not found' }).waitFor();
  await accessible();
});

// Clause C.2.2
test('somebody else’s order is not there', async () => {
  const other = await newVisitor(here.browser, shopOrigin());
  await signInAsNewUser(other.page);
  await openPayment(other.page);
  await other.page.getByRole('heading', { name: 'Order not found' }).waitFor();
  await other.context.close();
});

// Clause C.11.5
test('Stripe’s packages come with this page alone, and no secret is kept', async () => {
  const before = here.visitor.requests.filter((url) => url.includes('/v1/sandbox/'));
  expect(before).toEqual([]);
  await openPayment();
  await here.page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').waitFor();
  await payWith(here.page, CARDS.pays);
  await here.page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  const kept = await here.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  // The letters of a signed token are chance.
  const said = kept.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '');
  expect(said).not.toMatch(/_secret_|4242|pi_/);
  expect(here.page.url()).not.toContain('secret');
});
