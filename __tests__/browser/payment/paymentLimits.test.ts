import { MAX_DECLINES } from '../../../src/contract/limits';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { CARD_FRAME, fetchOrder, payWithCard, fillCardForm } from '../../support/checkout';
import { newTool, changeTool } from '../../support/tools';
import { openKeyboard } from '../../support/keyboard';
import { CARDS, confirmPayment } from '../../support/cards';
import { mainButton } from '../../support/session';
import { withUnpaidOrder } from './withUnpaidOrder';
import { query } from '../../support/database';

const TOO_MANY = 'Too many declined cards. You can try again in an hour.';
/** The same message, also if the first card was declined more than a minute ago. */
const TOO_MANY_FOR_A_WHILE = /^Too many declined cards\. You can try again in (an hour|59 minutes)\.$/;

const fixture = withUnpaidOrder(newTool);
const { openPayment, alert, expectAccessible } = fixture;

/** Confirms the intent with one declined card after another, as an attacker who tests stolen cards does. */
async function declineCards(clientSecret: string, times: number) {
  for (let n = 0; n < times; n++) await confirmPayment(shopOrigin(), clientSecret, CARDS.declined);
}

const waitForText = (text: string) => fixture.page.getByText(text, { exact: true }).waitFor();

test('a changed price of an old order is shown, can be accepted with one button and can then be paid', async () => {
  const { price, totalQuantity, toolId, _id } = fixture.order;
  await query(`update orders set created_at = created_at - interval '8 days' where id = $1`, [fixture.order._id]);
  await changeTool(toolId, { price: price! + 1 });
  await openPayment();
  await alert()
    .getByText(`The price is now $${price! + 1} each. Review the new total before you pay.`)
    .waitFor();
  await waitForText(`Total $ ${(price! + 1) * totalQuantity}`);
  expect(await fixture.page.locator(CARD_FRAME).count()).toBe(0);
  await expectAccessible();
  expect((await fetchOrder(fixture.page, _id)).price).toBe(price);

  await fixture.page.getByRole('button', { name: `Pay at $${price! + 1} each` }).click();
  await openKeyboard(fixture.page).expectFocus(mainButton(fixture.page, 'PAY'));
  await waitForText(`Total $ ${(price! + 1) * totalQuantity}`);
  await payWithCard(fixture.page, CARDS.pays);
  await waitForText(SPEC_MESSAGES.paid);
  await fixture.page.getByRole('main').getByRole('link', { name: 'My Orders' }).click();
  await fixture.page.getByRole('cell', { name: SPEC_MESSAGES.paid }).waitFor();
  await fixture.page.getByRole('cell', { name: new RegExp(`^\\$ ?${price! + 1}$`) }).waitFor();
});

test('after ten declined cards the payment page says when to try again, even after a reload', async () => {
  const response = fixture.page.waitForResponse(/create-payment-intent/);
  await openPayment();
  const { clientSecret } = (await (await response).json()) as { clientSecret: string };
  await declineCards(clientSecret, MAX_DECLINES - 1);
  await payWithCard(fixture.page, CARDS.declined);
  await alert().getByText('Your card was declined.').waitFor();
  await fillCardForm(fixture.page, CARDS.pays);
  const refused = fixture.page.waitForResponse(/create-payment-intent/);
  await mainButton(fixture.page, 'PAY').click();
  expect((await refused).status()).toBe(429);
  await alert().getByText(TOO_MANY).waitFor();
  expect(await fixture.page.locator(CARD_FRAME).count()).toBe(0);
  await expectAccessible();
  await fixture.page.reload();
  await alert().getByText(TOO_MANY_FOR_A_WHILE).waitFor();
  expect(await fixture.page.locator(CARD_FRAME).count()).toBe(0);
  expect((await fetchOrder(fixture.page, fixture.order._id)).paid).toBe(false);
});
