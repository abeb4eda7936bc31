import { Client } from 'pg';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { keyboardOf } from '../../support/keyboard';
import { CARD_FRAME, payButton, typeCard, withFreshPayer } from '../../support/checkout';
import { newTool } from '../../support/tools';
import { CARDS } from '../../support/cards';

const here = withFreshPayer(newTool);
const { openPayment, alert, accessible } = here;
/** What only an operator’s hand, or a provider’s mistake, can bring about. Answers the last statement’s rows. */
async function inDatabase(...statements: string[]): Promise<Record<string, string>[]> {
  const db = new Client({ connectionString: process.env['SHOP_DATABASE_URL'] });
  await db.connect();
  let rows: Record<string, string>[] = [];
  for (const statement of statements)
    ({ rows } = await db.query(statement.replaceAll('$order', `'${here.order._id}'`)));
  await db.end();
  return rows;
}

// Clause C.6.9
test('an order whose stock went to somebody else says so before any card is asked for', async () => {
  await inDatabase(
    `update orders set holds_stock = false, hold_until = null where id = $order`,
    `update tools set available_quantity = 7, minimum_order_quantity = 5 where id = (select tool_id from orders where id = $order)`,
  );
  await openPayment();
  await alert().getByText('There are only 7 left.', { exact: false }).waitFor();
  expect(await here.page.locator(CARD_FRAME).count()).toBe(0);
  await accessible();
  await here.page.getByRole('button', { name: 'Delete this order' }).waitFor();
  await here.page.getByRole('link', { name: 'Order 7 instead' }).click();
  await here.page.waitForURL(`**/purchase/${here.order.toolId}?quantity=7`);
});

// Clause C.8.13
test('money for an order that can no longer take it will be returned, and there is a code', async () => {
  await openPayment();
  await typeCard(here.page, CARDS.pays);
  await inDatabase(
    `update tools set available_quantity = available_quantity + o.quantity from orders o where o.id = $order and o.tool_id = tools.id`,
    `update orders set state = 'deleted', deleted_at = now(), holds_stock = false, hold_until = null where id = $order`,
    `update order_counts set n = n - 1 where shard = 0`,
  );
  await here.page.route('**/order/*', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: here.order }) : route.continue(),
  );
  await payButton(here.page).click();
  const title = alert().getByRole('heading', { name: PAGE_MESSAGES.paymentReturned });
  await keyboardOf(here.page).isOn(title);
  expect(await title.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(179, 38, 30)');
  const code = await alert().locator('code').textContent();
  const [row] = await inDatabase(`select intent_id from payments where order_id = $order and outcome = 'refund due'`);
  expect(row!['intent_id']!.slice(-8)).toBe(code);
});

test('a payment that takes no card any more gives way to another, and the focus is on PAY when that is there', async () => {
  await openPayment();
  await typeCard(here.page, CARDS.pays);
  const closed = { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message: 'Closed.' };
  await here.page.route('**/confirm', (route) => route.fulfill({ status: 400, json: { error: closed } }), { times: 1 });
  const another = here.page.waitForRequest(/create-payment-intent/);
  await payButton(here.page).click();
  await another;
  await alert().getByText('This payment was closed meanwhile.', { exact: false }).waitFor();
  await keyboardOf(here.page).isOn(payButton(here.page));
  await here.page.keyboard.press('Enter');
  await here.page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
});
