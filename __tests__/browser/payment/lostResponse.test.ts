import type { Route } from 'playwright-core';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { allowError, NETWORK_ERROR } from '../../support/browser';
import { fetchOrder, payButton, fillCardForm, withUnpaidOrder } from '../../support/checkout';
import { query } from '../../support/database';
import { CARDS } from '../../support/cards';

const CONFIRM_URL = '**/v1/payment_intents/*/confirm';
const READ_URL = '**/v1/payment_intents/*';

const fixture = withUnpaidOrder();

/** Sends the request to the shop and drops the response. */
async function dropResponse(route: Route) {
  await route.fetch();
  await route.abort('connectionreset');
}
const waitUntilPaid = () => fixture.page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
const chargedIntents = () =>
  query<{ id: string }>(`select id from sandbox_intents where charge_id is not null and metadata ->> 'order_id' = $1`, [
    fixture.order._id,
  ]);

async function expectChargedOnce() {
  const [intent, ...others] = await chargedIntents();
  expect(others).toEqual([]);
  expect(await fetchOrder(fixture.page, fixture.order._id)).toMatchObject({ paid: true, transactionId: intent!.id });
}

beforeEach(async () => {
  await fixture.openPayment();
  await fillCardForm(fixture.page, CARDS.pays);
  await fixture.page.route(CONFIRM_URL, dropResponse);
  allowError(fixture.visitor, NETWORK_ERROR);
});

test('a payment whose response is lost is shown as paid without a second click', async () => {
  await payButton(fixture.page).click();
  await waitUntilPaid();
  expect(await payButton(fixture.page).count()).toBe(0);
  await expectChargedOnce();
});

test('a payment whose result could not be read is shown as paid after pressing PAY again, and is charged once', async () => {
  await fixture.page.route(READ_URL, (route) => route.abort('connectionreset'));
  await payButton(fixture.page).click();
  await fixture.alert().getByText('We could not reach the payment service.', { exact: false }).waitFor();
  expect(await chargedIntents()).toHaveLength(1);
  await fixture.page.unroute(CONFIRM_URL);
  await fixture.page.unroute(READ_URL);
  await payButton(fixture.page).click();
  await waitUntilPaid();
  await expectChargedOnce();
});
