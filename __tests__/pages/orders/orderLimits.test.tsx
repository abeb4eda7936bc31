import { screen, within } from '@testing-library/react';
import { CONTACT } from '../../../src/contract/contact';
import type { Order, Tool } from '../../../src/contract/entities';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { clearDrafts } from '../../../src/forms/drafts';
import { query } from '../../support/database';
import { fill, openPage, signUp, user } from '../../support/page';
import { newTool } from '../../support/tools';

/** Must match the default of the setting in server/settings/settings.ts. */
const MAX_UNPAID_ORDERS = 10;
const main = () => within(screen.getByRole('main'));

beforeEach(clearDrafts);

/** Places an order without the page. */
async function placeOrder({ _id: toolId, name: productName }: Tool): Promise<Order> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${localStorage.getItem('accessToken')}`,
  };
  const body = { toolId, productName, totalQuantity: 20, address: '18 Foundry Row', phone: '555 0142' };
  return (await (await fetch('/order', { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Order;
}

async function orderInPage({ _id }: Tool, quantity = 20) {
  const page = await openPage(`/purchase/${_id}`);
  await fill({ Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity) });
  await user.click(main().getByRole('button', { name: 'Place order' }));
  return page;
}

const countOrders = (email: string) => query('select count(*)::int as n from orders where email = $1', [email]);

/** Ends the order's hold, as if it were the customer's second one of this tool that ended unpaid. */
async function endSecondHold({ _id }: Order) {
  await query(`insert into ended_holds (owner_id, tool_id, held_seconds, ended_at)
    select owner_id, tool_id, 900, now() from orders, generate_series(1, 2) where id = '${_id}'`);
  await query(`with o as (update orders set holds_stock = false, hold_until = null where id = '${_id}' returning *)
    update tools t set available_quantity = available_quantity + o.quantity from o where t.id = o.tool_id`);
}

// Clause C.6.17
test('at the limit of unpaid orders, the purchase form leads to My Orders, and no order is stored', async () => {
  const { email } = await signUp();
  const tool = await newTool();
  for (let n = 0; n < MAX_UNPAID_ORDERS; n += 1) await placeOrder(tool);
  await orderInPage(tool);
  const sentence = 'You have 10 unpaid orders. Pay for or delete one in My Orders, then order again.';
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(main().getByRole('link', { name: 'Go to My Orders' })).toHaveAttribute('href', '/dashboard/myorder');
  expect(await countOrders(email)).toEqual([{ n: MAX_UNPAID_ORDERS }]);
});

test('after two holds without a payment, the purchase form and the payment page say from when the tool can be ordered again', async () => {
  const { email } = await signUp();
  const tool = await newTool();
  const order = await placeOrder(tool);
  await endSecondHold(order);
  const sentence = new RegExp(
    `^We held this tool for you twice without a payment. .* again from \\w+, .* at .*\\. .* ${CONTACT.phone.replace('+', '\\+')}\\.$`,
  );
  const page = await orderInPage(tool);
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(await countOrders(email)).toEqual([{ n: 1 }]);
  page.unmount();

  await openPage(`/dashboard/payment/${order._id}`);
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.queryByRole('button', { name: SPEC_MESSAGES.pay })).toBeNull();
  main().getByRole('button', { name: 'Delete this order' });
});
