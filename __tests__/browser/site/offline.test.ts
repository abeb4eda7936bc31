import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { browserFixture, NETWORK_ERROR } from '../../support/browser';
import { CARD_FRAME, placeOrder, fillCardForm } from '../../support/checkout';
import { signInAsNewUser, mainButton } from '../../support/session';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');

test('a payment that fails offline keeps the card details and succeeds after reconnecting', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  const order = await placeOrder(page);
  await page.goto(`/dashboard/payment/${order._id}`);
  await fillCardForm(page, CARDS.pays);
  await mainButton(page, 'PAY').and(page.locator(':enabled')).waitFor();
  await visitor.context.setOffline(true);
  await mainButton(page, 'PAY').click();
  await main().getByRole('alert').getByText('We could not reach the payment service.', { exact: false }).waitFor();
  expect(await page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').inputValue()).toBe('4242 4242 4242 4242');
  await visitor.context.setOffline(false);
  visitor.allowedErrors.push(NETWORK_ERROR);
  await mainButton(page, 'PAY').click();
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
});
