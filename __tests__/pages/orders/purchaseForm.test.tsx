import { screen, waitFor, within } from '@testing-library/react';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import type { Order, Tool } from '../../../src/contract/entities';
import { clearDrafts } from '../../../src/forms/drafts';
import { field, fill, openPage, signUp, user } from '../../support/page';
import { watchCalls } from '../../support/pageCalls';
import { newTool, setStock, sharedTool } from '../../support/tools';

const sent = watchCalls();
const sentOrders = () => sent.filter(({ call }) => call === 'POST /order').map(({ body }) => body);
const press = (name: string | RegExp) => user.click(within(screen.getByRole('main')).getByRole('button', { name }));

async function openTool() {
  const { _id } = await sharedTool();
  const tool = (await (await fetch(`/tool/${_id}`)).json()) as Tool;
  await openPage(`/purchase/${tool._id}`);
  await fill({ Address: '18 Foundry Row', Phone: '555 0142' });
  return tool;
}

async function expectOrderAs(name: string) {
  const { minimumOrderQuantity } = await openTool();
  expect(await field('Name')).toHaveValue(name);
  await fill({ Quantity: String(minimumOrderQuantity) });
  await press('Place order');
  await screen.findByText(SPEC_MESSAGES.orderPlaced);
  expect(sentOrders()).toMatchObject([{ client: name }]);
  expect(await screen.findByLabelText('Your new order')).toHaveTextContent('The next step is to pay for it.');
}

beforeEach(() => {
  clearDrafts();
  sent.length = 0;
});

test('the purchase page says within how many days the shop ships, and that nothing is added to the total', async () => {
  await signUp();
  const { _id } = await sharedTool();
  await openPage(`/purchase/${_id}`, { shipWithinDays: 5 });
  expect(await screen.findByText('Ships within 5 days of payment')).toBeVisible();
  expect(screen.getByText(/^Total/)).toHaveTextContent('Delivery is included. No tax is added.');
});

// Clause A.5.5
test.each(['0', '-3', '1000001', '2.5', 'twenty', '9999999999999999999999'])(
  'the purchase form marks %s, which is no quantity that the shop can store, and does not send it',
  async (typed) => {
    await signUp();
    await openTool();
    await fill({ Quantity: typed });
    expect(await screen.findByText(SPEC_MESSAGES.quantityRange)).toBeVisible();
    expect(await field('Quantity')).toBeInvalid();
    expect(await field('Quantity')).toHaveAccessibleDescription(
      expect.stringContaining('Enter a whole number from 1 to 1,000,000.'),
    );
    expect(screen.getByRole('status', { name: 'Total' })).toHaveTextContent('–');

    await press('Place order');
    await waitFor(async () => expect(await field('Quantity')).toHaveFocus());
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    await press(/^Change to /);
    await waitFor(() => expect(screen.queryByText(SPEC_MESSAGES.quantityRange)).toBeNull());
    expect(await field('Quantity')).toBeValid();
    expect(sentOrders()).toEqual([]);
  },
);

// Clause A.5.4
test('a quantity from a link fills the form, and one that was typed instead stays after a reload', async () => {
  const { _id } = await sharedTool();
  const openLink = () => openPage(`/purchase/${_id}?quantity=20`);
  const { unmount } = await openLink();
  expect(await field('Quantity')).toHaveValue('20');
  await fill({ Quantity: '200' });
  unmount();
  await openLink();
  expect(await field('Quantity')).toHaveValue('200');
});

test('missing values show errors at their fields, and no order is sent', async () => {
  await signUp();
  const { _id } = await sharedTool();
  await openPage(`/purchase/${_id}`);
  await user.clear(await field('Quantity'));
  await press('Place order');
  const readErrors = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);
  await waitFor(() =>
    expect(readErrors()).toEqual(['Quantity is required', 'Address is required', 'Phone is required']),
  );
  expect(screen.queryByText(SPEC_MESSAGES.quantityRange)).toBeNull();
  expect(sentOrders()).toEqual([]);
});

const post = async (path: string, body: object) => {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${localStorage.getItem('accessToken')}`,
  };
  return (await (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Order;
};

/** Places an order without the page. */
const placeOrder = ({ _id: toolId, name: productName }: Tool, totalQuantity: number) =>
  post('/order', { toolId, productName, totalQuantity, address: '18 Foundry Row', phone: '555 0142' });

test('the payment page of an unpriced order shows that it cannot be paid, and offers to delete it', async () => {
  await signUp();
  const order = await placeOrder(await newTool(), 1);
  await openPage(`/dashboard/payment/${order._id}`);
  expect(await screen.findByText("You can't pay for this order: it has no price.")).toBeVisible();
  expect(screen.queryByRole('button', { name: SPEC_MESSAGES.pay })).toBeNull();
  within(screen.getByRole('main')).getByRole('button', { name: 'Delete this order' });
  expect(sent.filter(({ call }) => call === 'POST /create-payment-intent')).toEqual([]);
});

test.each([
  [79, '', 'Order 20 to 79 pieces.'],
  [640, '', 'Order 20 to 640 pieces.'],
  [19, 'Not enough stock for a minimum order', 'Not enough stock for a minimum order.'],
  [0, 'Out of stock', 'Out of stock right now.'],
])(
  'with a minimum order of 20 and a stock of %i, the card shows “%s” and the purchase page “%s”',
  async (pieces, onCard, range) => {
    const tool = await newTool();
    await setStock(tool._id, pieces);
    const home = await openPage(`/?q=${encodeURIComponent(tool.name)}`);
    const card = (await screen.findByRole('heading', { name: tool.name })).closest('li')!;
    const note = 'Ask for any quantity, and we may offer you a price.';
    expect(within(card).queryByText(new RegExp(note))?.textContent ?? '').toBe(onCard && `${onCard}. ${note}`);
    home.unmount();
    await signUp();
    await openPage(`/purchase/${tool._id}`);
    expect(await screen.findByText(range)).toBeVisible();
  },
);

// Clause C.2.8
test('orders and reviews of a user without a display name use the part of the email before the @ as the name', async () => {
  const { email } = await signUp('');
  const name = email.split('@')[0]!;
  await expectOrderAs(name);

  await user.click(await screen.findByRole('link', { name: 'Add review' }));
  await fill({ Description: 'Good steel.', Ratings: '4', 'Picture link': '/images/tools/claw-hammer.svg' });
  await press('Add review');
  await screen.findByText(SPEC_MESSAGES.reviewSaved);
  expect(sent.findLast(({ call }) => call === 'POST /review')!.body).toMatchObject({ name });
});

test.each([
  ['a quantity', '25', '25'],
  ['no quantity, but text', '25x', ''],
])('the purchase form takes over %s from the URL', async (_what, inUrl, expected) => {
  await signUp();
  const { _id, minimumOrderQuantity } = await sharedTool();
  await openPage(`/purchase/${_id}?quantity=${inUrl}`);
  expect(await field('Quantity')).toHaveValue(expected || String(minimumOrderQuantity));
});
