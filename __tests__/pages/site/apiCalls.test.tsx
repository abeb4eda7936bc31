import { screen, waitFor, within } from '@testing-library/react';
import { apiSlice } from '../../../src/api/apiSlice';
import { createStore } from '../../../src/app/store';
import { query } from '../../support/database';
import { fill, openPage, signUp, user, signInAsAdmin } from '../../support/page';
import { holdRequests, watchCalls } from '../../support/pageCalls';
import { sharedTool } from '../../support/tools';
import type { Order, Tool } from '../../../src/contract/entities';
import { keepUnitsTogether } from '../../../src/contract/keepUnitsTogether';

const sent = watchCalls();
const lastCall = (call: string) => sent.findLast((sentCall) => sentCall.call === call);
const press = (name: string | RegExp) => user.click(within(screen.getByRole('main')).getByRole('button', { name }));
const bearer = () => `Bearer ${localStorage.getItem('accessToken')}`;

async function placeOrder(quantity: (tool: Tool) => number) {
  const tool = await sharedTool();
  const { unmount } = await openPage(`/purchase/${tool._id}`);
  await fill({ Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity(tool)) });
  await press(/^(Place order|Ask us)/);
  await screen.findByText('Your Order Placed Successfully');
  return { tool, unmount };
}

async function fetchMyOrders(email: string) {
  const headers = { accept: 'application/json', authorization: bearer() };
  return (await (await fetch(`/order?email=${encodeURIComponent(email)}`, { headers })).json()) as Order[];
}

// Clauses A.1.5, A.3.6, A.4.4, A.7.13, C.11.11
test('signup sends the email and the ID token to PUT /user/{email}, and stores the access token it returns', async () => {
  const { email } = await signUp('Ann Lee');
  expect(await query('select display_name from users where email = $1', [email])).toEqual([
    { display_name: 'Ann Lee' },
  ]);
  const { body, authorization } = lastCall(`PUT /user/${email}`)!;
  expect(body).toEqual({ email });
  expect(authorization).toMatch(/^Bearer ey/);
  expect(authorization).not.toBe(bearer());
  expect(localStorage.getItem('accessToken')).toMatch(/^ey/);
});

// Clauses A.3.7, A.7.17, C.2.1
test('saving a profile sends email, address, education, phone and linkedIn', async () => {
  const { email } = await signUp();
  await openPage('/dashboard');
  await fill({ Address: '1 Main', 'Education (optional)': 'Smith', Phone: '555 0100', LinkedIn: 'https://a.example' });
  await press('Save');
  await screen.findByText('Your Info Update Successfully');
  const fields = { email, address: '1 Main', education: 'Smith', phone: '555 0100', linkedIn: 'https://a.example' };
  expect(lastCall('POST /profile')).toMatchObject({ body: fields, authorization: bearer() });
});

// Clauses A.3.3, A.7.6, A.8.5
test('placing an order sends client, email, price, productName, address, phone and totalQuantity', async () => {
  const { email, displayName } = await signUp();
  const { tool } = await placeOrder(({ minimumOrderQuantity }) => minimumOrderQuantity);
  expect(lastCall('POST /order')!.body).toEqual({
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
test('My Orders has five columns, with a Pay link for a priced order and a Delete button for an unpriced one', async () => {
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
  const { name, price, minimumOrderQuantity: min } = tool;
  expect(cells).toEqual([
    ['1', expect.stringMatching(/We're pricing this$/), 'Not priced', String(min - 1), 'Delete'],
    ['2', expect.stringContaining(keepUnitsTogether(name)), `$${price}`, String(min), 'Pay'],
  ]);
  const [, pricedOrder] = await fetchMyOrders(email);
  expect(screen.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', `/dashboard/payment/${pricedOrder!._id}`);
});

// Clause A.4.2
test('a spinner is shown while the session is restored and while a request is in progress', async () => {
  const html = await (await fetch('/dashboard', { headers: { accept: 'text/html' } })).text();
  const initialPage = new DOMParser().parseFromString(html, 'text/html');
  expect(initialPage.querySelector('main [role=status]')?.textContent).toBe('Loading');

  await signUp();
  const release = holdRequests();
  await openPage('/dashboard/myorder');
  expect((await screen.findByText('Loading your orders')).closest('[role=status]')).not.toBeNull();
  release();
  await screen.findByText('No orders yet');
  expect(screen.queryByText('Loading your orders')).toBeNull();
});

// Clause A.7.8
test('an admin gets the orders of all customers from GET /order', async () => {
  const emails: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    emails.push((await signUp()).email);
    (await placeOrder(({ minimumOrderQuantity }) => minimumOrderQuantity)).unmount();
  }
  await signInAsAdmin();
  const { dispatch } = createStore({ renew: () => Promise.resolve(false) });
  const orders = await dispatch(apiSlice.endpoints.listOrders.initiate()).unwrap();
  expect(orders.map(({ email }) => email).filter((email) => emails.includes(email))).toEqual(emails.reverse());
  expect(lastCall('GET /order')).toMatchObject({ prefer: null, authorization: bearer() });
});
