import type { Route } from 'playwright-core';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { allowError, NO_ANSWER } from '../../support/browser';
import { orderOf, payButton, typeCard, withFreshPayer } from '../../support/checkout';
import { query } from '../../support/database';
import { CARDS } from '../../support/cards';

const CONFIRM = '**/v1/payment_intents/*/confirm';
const READ = '**/v1/payment_intents/*';

const here = withFreshPayer();

/** The shop does what it is asked for, and its answer does not arrive. */
async function loseAnswer(route: Route) {
  await route.fetch();
  await route.abort('connectionreset');
}
const isPaid = () => here.page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
/** The payment that was charged, in what the shop's provider holds. */
const charges = () =>
  query<{ id: string }>(`select id from sandbox_intents where charge_id is not null and metadata ->> 'order_id' = $1`, [
    here.order._id,
  ]);

async function isChargedOnce() {
  const [charge, ...others] = await charges();
  expect(others).toEqual([]);
  expect(await orderOf(here.page, here.order._id)).toMatchObject({ paid: true, transactionId: charge!.id });
}

beforeEach(async () => {
  await here.openPayment();
  await typeCard(here.page, CARDS.pays);
  await here.page.route(CONFIRM, loseAnswer);
  allowError(here.visitor, NO_ANSWER);
});

test('a payment whose answer is lost is shown as paid without another press', async () => {
  await payButton(here.page).click();
  await isPaid();
  expect(await payButton(here.page).count()).toBe(0);
  await isChargedOnce();
});

test.each(['pressing PAY again', 'a reload'])(
  'a payment that the page cannot ask about is shown as paid after %s, and charged once',
  async (way) => {
    await here.page.route(READ, (route) => route.abort('connectionreset'));
    await payButton(here.page).click();
    await here.alert().getByText('We could not reach the payment service.', { exact: false }).waitFor();
    expect(await charges()).toHaveLength(1);
    await here.page.unroute(CONFIRM);
    await here.page.unroute(READ);
    if (way === 'a reload') await here.page.reload();
    else await payButton(here.page).click();
    await isPaid();
    await isChargedOnce();
  },
);
