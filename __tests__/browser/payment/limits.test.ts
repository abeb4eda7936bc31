import { Client } from 'pg';
import { MAX_DECLINES } from '../../../src/contract/limits';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { CARD_FRAME, orderOf, payButton, payWith, typeCard, withFreshPayer } from '../../support/checkout';
import { newTool, setPrice } from '../../support/tools';
import { keyboardOf } from '../../support/keyboard';
import { cardForm, CARDS } from '../../support/cards';

const TOO_MANY = 'Too many declined cards. You can try again in an hour.';

const here = withFreshPayer(newTool);
const { openPayment, alert, accessible } = here;

async function inDatabase(statement: string): Promise<void> {
  const db = new Client({ connectionString: process.env['SHOP_DATABASE_URL'] });
  await db.connect();
  await db.query(statement, [here.order._id]);
  await db.end();
}

async function stripe(path: string, form: Record<string, string>) {
  const headers = { authorization: 'Bearer pk_test_forgeline' };
  const response = await fetch(`${shopOrigin()}/v1/${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  });
  return (await response.json()) as { id: string };
}

/** As a program does it that tries cards. */
async function decline(clientSecret: string, times: number) {
  for (let n = 0; n < times; n++) {
    const { id } = await stripe('payment_methods', cardForm(CARDS.declined));
    const confirmed = { client_secret: clientSecret, payment_method: id };
    await stripe(`payment_intents/${clientSecret.split('_secret_')[0]}/confirm`, confirmed);
  }
}

const shown = (text: string) => here.page.getByText(text, { exact: true }).waitFor();

test('a price that changed since an old order is shown, accepted by one button, paid, and shown in My Orders', async () => {
  const { price, totalQuantity, toolId, _id } = here.order;
  await inDatabase(`update orders set created_at = created_at - interval '8 days' where id = $1`);
  await setPrice(toolId, price! + 1);
  await openPayment();
  await alert()
    .getByText(`The price is now $${price! + 1} each. Review the new total before you pay.`)
    .waitFor();
  await shown(`Total $ ${(price! + 1) * totalQuantity}`);
  expect(await here.page.locator(CARD_FRAME).count()).toBe(0);
  await accessible();
  expect((await orderOf(here.page, _id)).price).toBe(price);

  await here.page.getByRole('button', { name: `Pay at $${price! + 1} each` }).click();
  await keyboardOf(here.page).isOn(payButton(here.page));
  await shown(`Total $ ${(price! + 1) * totalQuantity}`);
  await payWith(here.page, CARDS.pays);
  await shown(SPEC_MESSAGES.paid);
  await here.page.getByRole('main').getByRole('link', { name: 'My Orders' }).click();
  await here.page.getByRole('cell', { name: SPEC_MESSAGES.paid }).waitFor();
  await here.page.getByRole('cell', { name: new RegExp(`^\\$ ?${price! + 1}$`) }).waitFor();
});

test('an accepted price is in My Orders before anything is paid', async () => {
  const { price, toolId } = here.order;
  await here.page.goto('/dashboard/myorder');
  await inDatabase(`update orders set created_at = created_at - interval '8 days' where id = $1`);
  await setPrice(toolId, price! + 2);
  await here.page.getByRole('link', { name: 'Pay', exact: true }).click();
  await here.page.getByRole('button', { name: `Pay at $${price! + 2} each` }).click();
  await here.page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').waitFor();
  await here.page.goBack();
  await here.page.getByRole('cell', { name: new RegExp(`^\\$ ?${price! + 2}$`) }).waitFor();
});

test('a new total that cannot be charged is said, and the order can only be deleted', async () => {
  await inDatabase(`update orders set created_at = created_at - interval '8 days' where id = $1`);
  await setPrice(here.order.toolId, 1_000_000);
  await openPayment();
  await alert().getByText('is above the $999,999 that you can pay at once', { exact: false }).waitFor();
  expect(await here.page.getByRole('button', { name: /^Pay at/ }).count()).toBe(0);
  expect(await here.page.locator(CARD_FRAME).count()).toBe(0);
  await here.page.getByRole('button', { name: 'Delete this order' }).waitFor();
});

test('after ten declined cards the page says when the next may be tried, also after a reload', async () => {
  const answer = here.page.waitForResponse(/create-payment-intent/);
  await openPayment();
  const { clientSecret } = (await (await answer).json()) as { clientSecret: string };
  await decline(clientSecret, MAX_DECLINES - 1);
  await payWith(here.page, CARDS.declined);
  await alert().getByText('Your card was declined.').waitFor();
  await typeCard(here.page, CARDS.pays);
  const refused = here.page.waitForResponse(/create-payment-intent/);
  await payButton(here.page).click();
  expect((await refused).status()).toBe(429);
  await alert().getByText(TOO_MANY).waitFor();
  expect(await here.page.locator(CARD_FRAME).count()).toBe(0);
  await accessible();
  await here.page.reload();
  await alert()
    .getByText(/^Too many declined cards\. You can try again in (an hour|59 minutes)\.$/)
    .waitFor();
  expect(await here.page.locator(CARD_FRAME).count()).toBe(0);
  expect((await orderOf(here.page, here.order._id)).paid).toBe(false);
});

test('the tenth declined card on one page is followed by the sentence, before another is tried', async () => {
  await openPayment();
  for (let declines = 0; declines < MAX_DECLINES;) {
    const confirmed = here.page.waitForResponse((response) => response.url().endsWith('/confirm'));
    await payWith(here.page, CARDS.declined);
    if ((await confirmed).status() === 402) declines += 1;
  }
  await alert().getByText(TOO_MANY).waitFor();
  expect(await here.page.locator(CARD_FRAME).count()).toBe(0);
});
