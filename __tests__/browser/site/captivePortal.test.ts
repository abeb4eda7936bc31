import type { Route } from 'playwright-core';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { waitForToast } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { CARD_FRAME, payWithCard, placeOrder } from '../../support/checkout';
import { signInAsNewUser, mainButton } from '../../support/session';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');

const PORTAL_PAGE = '<!doctype html><title>Café</title><h1>Welcome to our network</h1><form>Accept</form>';
const answerAsPortal = (route: Route) => route.fulfill({ status: 200, contentType: 'text/html', body: PORTAL_PAGE });

test('a payment behind a captive portal shows errors, and works once the portal is gone', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await placeOrder(page);
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await page.route('**/create-payment-intent*', answerAsPortal);
  await page.route('**/v1/sandbox/stripe.js', answerAsPortal);
  await page.getByRole('link', { name: 'My Order', exact: true }).click();
  await main().getByRole('link', { name: 'Pay', exact: true }).click();
  await waitForToast(fixture.page, APP_MESSAGES.unexpectedResponse, 'alert');
  await waitForToast(fixture.page, "The card form didn't load. Check your connection and try again.", 'alert');
  await page.unrouteAll();
  const tryAgain = main().getByRole('button', { name: 'Try again' });
  await tryAgain.first().click();
  await tryAgain.nth(1).waitFor({ state: 'detached' });
  await tryAgain.click();
  await page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').waitFor();
  expect(await tryAgain.count()).toBe(0);
  await mainButton(page, 'PAY').and(page.locator(':enabled')).waitFor();
  await payWithCard(page, CARDS.pays);
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  expect(visitor.errors).toEqual(["Unexpected token '<'"]);
  visitor.allowedErrors.push(/^Unexpected token '<'$/);
});
