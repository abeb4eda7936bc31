import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { openKeyboard } from '../../support/keyboard';
import { CARD_FRAME, fillCardForm } from '../../support/checkout';
import { newTool } from '../../support/tools';
import { CARDS } from '../../support/cards';
import { mainButton } from '../../support/session';
import { withUnpaidOrder } from './withUnpaidOrder';
import { query } from '../../support/database';

const fixture = withUnpaidOrder(newTool);
const { openPayment, alert, expectAccessible } = fixture;
/**
 * Changes the database directly, because the pages cannot create these states. `$order` stands for the order's id.
 * @returns the rows of the last statement
 */
async function runSql(...statements: string[]): Promise<Record<string, string>[]> {
  let rows: Record<string, string>[] = [];
  for (const statement of statements) rows = await query(statement.replaceAll('$order', `'${fixture.order._id}'`));
  return rows;
}

// Clause C.6.9
test('the payment page of an order whose stock was sold to others shows a message instead of the card form', async () => {
  await runSql(
    `update orders set holds_stock = false, hold_until = null where id = $order`,
    `update tools set available_quantity = 7, minimum_order_quantity = 5
     where id = (select tool_id from orders where id = $order)`,
  );
  await openPayment();
  await alert().getByText('There are only 7 left.', { exact: false }).waitFor();
  expect(await fixture.page.locator(CARD_FRAME).count()).toBe(0);
  await expectAccessible();
  await fixture.page.getByRole('button', { name: 'Delete this order' }).waitFor();
  await fixture.page.getByRole('link', { name: 'Order 7 instead' }).click();
  await fixture.page.waitForURL(`**/purchase/${fixture.order.toolId}?quantity=7`);
});

// Clause C.8.13
test('a payment for a deleted order shows that it will be refunded, and shows a code for contacting the shop', async () => {
  await openPayment();
  await fillCardForm(fixture.page, CARDS.pays);
  await runSql(
    `update tools set available_quantity = available_quantity + o.quantity
     from orders o where o.id = $order and o.tool_id = tools.id`,
    `update orders set state = 'deleted', deleted_at = now(), holds_stock = false, hold_until = null where id = $order`,
  );
  await fixture.page.route('**/order/*', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: fixture.order }) : route.continue(),
  );
  await mainButton(fixture.page, 'PAY').click();
  const title = alert().getByRole('heading', { name: PAGE_MESSAGES.paymentRefunded });
  await openKeyboard(fixture.page).expectFocus(title);
  expect(await title.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(179, 38, 30)');
  const code = await alert().locator('code').textContent();
  const [row] = await runSql(`select intent_id from payments where order_id = $order and outcome = 'refund due'`);
  expect(row!['intent_id']!.slice(-8)).toBe(code);
});
