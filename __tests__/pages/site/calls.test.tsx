import { screen, waitFor, within } from '@testing-library/react';
import { query } from '../../support/database';
import { ADMIN, fill, openPage, rowOf, signIn, signUp, user } from '../../support/page';
import { holdRequests, watchCalls } from '../../support/pageCalls';
import { newTool } from '../../support/tools';
import type { Order, Tool } from '../../../src/contract/entities';

const sent = watchCalls();
const last = (call: string) => sent.findLast((one) => one.call === call);
const press = (name: string) => user.click(within(screen.getByRole('main')).getByRole('button', { name }));
const bearer = () => `Bearer ${localStorage.getItem('accessToken')}`;
const PICTURE = '/images/tools/claw-hammer.svg';

async function firstTool() {
  const tools = (await (await fetch('/tool', { headers: { accept: 'application/json' } })).json()) as Tool[];
  return tools.find(({ availableQuantity, minimumOrderQuantity }) => availableQuantity > minimumOrderQuantity * 2)!;
}

async function placeOrder(quantity: (tool: Tool) => number) {
  const tool = await firstTool();
  const { unmount } = await openPage(`/purchase/${tool._id}`);
  await fill({ Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity(tool)) });
  await press('Place order');
  await screen.findByText('Your Order Placed Successfully');
  return { tool, unmount };
}

async function myOrders(email: string) {
  const headers = { accept: 'application/json', authorization: bearer() };
  return (await (await fetch(`/order?email=${encodeURIComponent(email)}`, { headers })).json()) as Order[];
}

// Clauses A.1.5, A.3.6, A.4.4, A.7.13, C.11.11
test('after signup PUT /user/{email} carries the email, proved by the provider with the name in it, and its token is kept', async () => {
  const { email } = await signUp('Ann Lee');
  expect(await query('select display_name from users where email = $1', [email])).toEqual([
    { display_name: 'Ann Lee' },
  ]);
  const { body, authorization } = last(`PUT /user/${email}`)!;
  expect(body).toEqual({ email });
  expect(authorization).toMatch(/^Bearer ey/);
  expect(authorization).not.toBe(bearer());
  expect(localStorage.getItem('accessToken')).toMatch(/^ey/);
});

// Clauses A.3.7, A.7.17, C.2.1
test('a profile sends email, address, education, phone and linkedIn', async () => {
  const { email } = await signUp();
  await openPage('/dashboard');
  await fill({ Address: '1 Main', Education: 'Smith', Phone: '555', LinkedIn: 'https://a.example' });
  await press('Save');
  await screen.findByText('Your Info Update Successfully');
  const fields = { email, address: '1 Main', education: 'Smith', phone: '555', linkedIn: 'https://a.example' };
  expect(last('POST /profile')).toMatchObject({ body: fields, authorization: bearer() });
});

// Clauses A.3.2, A.7.5
test('a review sends name, description, ratings and img', async () => {
  await signUp('Ann Lee');
  await openPage('/dashboard/addreview');
  await fill({ Description: 'Good steel.', Ratings: '4', 'Photo link': PICTURE });
  await press('Add review');
  await screen.findByText('Thanks For Your Review');
  expect(last('POST /review')!.body).toEqual({ name: 'Ann Lee', description: 'Good steel.', ratings: 4, img: PICTURE });
});

// Clauses A.3.3, A.7.6, A.8.5
test('an order sends client, email, price, productName, address, phone and totalQuantity', async () => {
  const { email, displayName } = await signUp();
  const { tool } = await placeOrder(({ minimumOrderQuantity }) => minimumOrderQuantity);
  expect(last('POST /order')!.body).toEqual({
    client: displayName,
    email,
    price: tool.price,
    productName: tool.name,
    address: '18 Foundry Row',
    phone: '555 0142',
    totalQuantity: tool.minimumOrderQuantity,
    toolId: tool._id,
  });
});

// Clauses A.2.9, A.2.30, A.2.31, C.6.11
test('My Orders: number, Product Name, Price Per Item, Total Product, Payment; a Pay link, or a delete button', async () => {
  const { email } = await signUp();
  const first = await placeOrder(({ minimumOrderQuantity }) => minimumOrderQuantity);
  first.unmount();
  const { tool, unmount } = await placeOrder(({ minimumOrderQuantity }) => minimumOrderQuantity - 1);
  unmount();
  await openPage('/dashboard/myorder');
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3));
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Number',
    'Product Name',
    'Price Per Item',
    'Total Product',
    'Payment',
  ]);
  const cells = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell'))
    .map((row) => row.map(({ textContent }) => textContent));
  const { name, price, minimumOrderQuantity: least } = tool;
  expect(cells).toEqual([
    ['1', `${name}Can’t be paid`, 'Not priced', String(least - 1), 'Delete'],
    ['2', name, `$ ${price}`, String(least), 'Pay'],
  ]);
  const [, paid] = await myOrders(email);
  expect(screen.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', `/dashboard/payment/${paid!._id}`);
});

// Clause A.4.2
test('a spinner shows while the session resolves, and while a request does', async () => {
  const html = await (await fetch('/dashboard', { headers: { accept: 'text/html' } })).text();
  const arrived = new DOMParser().parseFromString(html, 'text/html');
  expect(arrived.querySelector('main [role=status]')?.textContent).toBe('Loading');

  await signUp();
  const letGo = holdRequests();
  await openPage('/dashboard/myorder');
  expect((await screen.findByText('Loading your orders')).closest('[role=status]')).not.toBeNull();
  letGo();
  await screen.findByText('No orders yet');
  expect(screen.queryByText('Loading your orders')).toBeNull();
});

// Clauses A.4.10, A.7.9, A.7.12, A.9.3, C.2.1, C.8.1
test('the payment page asks for a payment of price times quantity when it loads', async () => {
  const { email } = await signUp();
  const { tool, unmount } = await placeOrder(({ minimumOrderQuantity }) => minimumOrderQuantity + 1);
  unmount();
  const [order] = await myOrders(email);
  await openPage(`/dashboard/payment/${order!._id}`);
  await waitFor(() => expect(last('POST /create-payment-intent')).toBeDefined());
  const totalPrice = tool.price * (tool.minimumOrderQuantity + 1);
  expect(last('POST /create-payment-intent')).toMatchObject({ body: { totalPrice }, authorization: bearer() });
  expect(last(`GET /order/${order!._id}`)).toMatchObject({ authorization: bearer() });
});

test('the payment page says where the order goes', async () => {
  const { email } = await signUp();
  const { unmount } = await placeOrder(({ minimumOrderQuantity }) => minimumOrderQuantity);
  unmount();
  const [order] = await myOrders(email);
  await openPage(`/dashboard/payment/${order!._id}`);
  expect(await screen.findByText('18 Foundry Row', { selector: 'bdi' })).toBeVisible();
  expect(screen.getByText(/^Deliver to:/)).toHaveTextContent('Deliver to: 18 Foundry Row');
});

test('the payment page says how many pieces at which price, and of one that it is one', async () => {
  await signUp();
  const { _id, name: productName } = await newTool();
  await query('update tools set minimum_order_quantity = 1 where id = $1', [_id]);
  const headers = { 'content-type': 'application/json', authorization: bearer() };
  for (const [totalQuantity, words] of [
    [1, '1 piece at $18'],
    [2, '2 pieces at $18 each'],
  ] as const) {
    const body = JSON.stringify({ productName, toolId: _id, totalQuantity, address: '1 Main', phone: '555' });
    const order = (await (await fetch('/order', { method: 'POST', headers, body })).json()) as Order;
    const { unmount } = await openPage(`/dashboard/payment/${order._id}`);
    expect(await screen.findByText(words)).toBeVisible();
    unmount();
  }
});

// Clauses A.3.1, A.7.3, A.7.15, C.2.1, C.3.6, C.13.2
test('an admin’s calls: a tool’s six fields, soon in the HTML too; a promotion without a body; the number alone of all orders', async () => {
  const { email } = await signUp();
  await signIn(ADMIN);
  const added = await openPage('/dashboard/addproduct');
  const texts = { Name: 'Plain hammer', Description: 'Lands.', 'Picture link': PICTURE };
  await fill({ ...texts, Price: '42', 'Minimum order quantity': '2', 'Available quantity': '9' });
  await press('Add Product');
  await screen.findByText('New Tools Added Successfully');
  const numbers = { price: 42, minimumOrderQuantity: 2, availableQuantity: 9 };
  const tool = { name: 'Plain hammer', description: 'Lands.', img: PICTURE, ...numbers };
  expect(last('POST /tool')).toMatchObject({ body: tool, authorization: bearer() });
  added.unmount();
  const html = async () => (await fetch('/', { headers: { accept: 'text/html' } })).text();
  await waitFor(async () => expect(await html()).toContain('Plain hammer'));

  const users = await openPage('/dashboard/allusers');
  const row = await rowOf(email);
  await user.click(within(row).getByRole('button', { name: /^Make Admin/ }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Make Admin' }));
  await screen.findByText('Successfully made an Admin');
  expect(last(`PUT /user/admin/${email}`)).toMatchObject({ body: undefined, authorization: bearer() });
  users.unmount();

  await openPage('/dashboard/manageallorders');
  await screen.findByText(/^\d+ orders? so far\./);
  const count = sent.find(({ call, prefer }) => call === 'GET /order' && prefer);
  expect(count).toMatchObject({ prefer: 'return=minimal', authorization: bearer() });
});
