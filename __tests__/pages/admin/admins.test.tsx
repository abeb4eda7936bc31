import { screen, waitFor, within } from '@testing-library/react';
import { formatWithCommas } from '../../../src/contract/formatWithCommas';
import { query } from '../../support/database';
import { replaceResponse } from '../../support/pageCalls';
import { openPage, findUserRow, signUp, user, ADMIN_EMAIL, signInAsAdmin } from '../../support/page';
import { newTool } from '../../support/tools';

const buttonsIn = (row: HTMLElement) =>
  within(row)
    .queryAllByRole('button')
    .map(({ textContent }) => textContent);
const roleOf = async (email: string) =>
  (await query<{ role: string }>('select role from users where email = $1', [email]))[0]?.role;

const countOrders = async () =>
  Number((await query<{ n: string }>(`select count(*) as n from orders where state <> 'deleted'`))[0]?.n);

/** The server remembers the number for a second, so it may be older than the last order. */
async function waitUntilCounted() {
  const headers = { authorization: `Bearer ${localStorage.getItem('accessToken')}`, prefer: 'return=minimal' };
  await waitFor(async () => {
    const { headers: answered } = await fetch('/order', { headers });
    expect(Number(answered.get('x-total-count'))).toBe(await countOrders());
  });
}

async function placeOrder() {
  const { name: productName, _id: toolId, minimumOrderQuantity: totalQuantity } = await newTool();
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${localStorage.getItem('accessToken')}`,
  };
  const body = JSON.stringify({ productName, toolId, totalQuantity, address: '1 Main', phone: '555 0100' });
  expect((await fetch('/order', { method: 'POST', headers, body })).status).toBe(201);
}

async function openAllUsersWithNewCustomer() {
  const { email } = await signUp();
  await signInAsAdmin();
  await openPage('/dashboard/allusers');
  return { email, row: await findUserRow(email) };
}

// Clauses A.1.3, A.2.9, A.2.34, A.6.3
test('All Users has the columns Email, Make Admin and Remove User, and the row of an admin has no Make Admin button', async () => {
  const { row } = await openAllUsersWithNewCustomer();
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Email',
    'Make Admin',
    'Remove User',
  ]);
  expect(buttonsIn(row)).toEqual([expect.stringMatching(/^Make Admin/), 'Remove User']);
  expect(buttonsIn(await findUserRow(ADMIN_EMAIL))).toEqual(['Remove User']);
});

// Clause C.5.10
test('an unverified email is marked in All Users and in the Make Admin dialog', async () => {
  const { row } = await openAllUsersWithNewCustomer();
  expect(within(row).getByText('Not verified')).toBeVisible();
  await user.click(within(row).getByRole('button', { name: /^Make Admin/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Are you sure?' });
  expect(dialog).toHaveTextContent("This email isn't verified, so it may belong to someone else.");
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(within(await findUserRow(ADMIN_EMAIL)).queryByText('Not verified')).toBeNull();
});

// Clauses A.1.3, A.4.9, A.8.9, C.5.12
test('Make Admin promotes the user, shows a toast, becomes Undo and records the promotion', async () => {
  const { email, row } = await openAllUsersWithNewCustomer();
  await user.click(within(row).getByRole('button', { name: /^Make Admin/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Are you sure?' });
  await user.click(within(dialog).getByRole('button', { name: 'Make Admin' }));
  expect(await screen.findByText('Successfully made an Admin')).toBeVisible();
  await waitFor(async () => expect(buttonsIn(await findUserRow(email))).toEqual(['Undo', 'Remove User']));
  expect(await roleOf(email)).toBe('admin');
  const records = await query(
    `select actor.email as actor, target.email as target, promotions.role from promotions
     join users actor on actor.id = actor_id join users target on target.id = target_id where target.email = $1`,
    [email],
  );
  expect(records).toEqual([{ actor: ADMIN_EMAIL, target: email, role: 'admin' }]);
});

test('a promotion can be undone even after the page was left', async () => {
  const { email, row } = await openAllUsersWithNewCustomer();
  await user.click(within(row).getByRole('button', { name: /^Make Admin/ }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Make Admin' }));
  await screen.findByText('Successfully made an Admin');
  await user.click(screen.getByRole('link', { name: /^Add Product/ }));
  await user.click(await screen.findByRole('link', { name: 'All Users' }));
  await user.click(await screen.findByRole('button', { name: `Undo Make Admin: ${email}` }));
  expect(await screen.findByText(`${email} is no longer an admin.`)).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  await waitFor(async () =>
    expect(buttonsIn(await findUserRow(email))).toEqual([expect.stringMatching(/^Make Admin/), 'Remove User']),
  );
  expect(await roleOf(email)).toBe('member');
});

const problemResponse = (status: number) => () =>
  Promise.resolve(Response.json({ code: 'any', title: 'No', status, detail: 'The shop says no.' }, { status }));

test('a failed promotion is shown as a toast', async () => {
  const { row } = await openAllUsersWithNewCustomer();
  await user.click(within(row).getByRole('button', { name: /^Make Admin/ }));
  replaceResponse('PUT /user/admin/', problemResponse(400));
  const dialog = await screen.findByRole('dialog', { name: 'Are you sure?' });
  await user.click(within(dialog).getByRole('button', { name: 'Make Admin' }));
  const toast = await screen.findByText('The shop says no.');
  expect(toast).toBeVisible();
  expect(toast.closest('dialog')).toBeNull();
});

test.each([
  [400, 'The shop says no.', 'in the dialog'],
  [409, 'The shop says no. This page now shows the latest version of the order.', 'at the order'],
])('a deletion by an admin that is answered with %i is shown once: %s %s', async (status, text, where) => {
  const { email } = await signUp();
  await placeOrder();
  await signInAsAdmin();
  await openPage(`/dashboard/manageallorders?status=unpaid&q=${email}`);
  await user.click(await screen.findByRole('button', { expanded: false, name: new RegExp(email) }));
  await user.click(await screen.findByRole('button', { name: 'Delete…' }));
  replaceResponse('DELETE /order/', problemResponse(status));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  const shown = await screen.findByText(text);
  expect(shown.closest('dialog') !== null).toBe(where === 'in the dialog');
  expect(screen.getAllByText(/^The shop says no\./)).toEqual([shown]);
});

// Clauses A.2.34, C.16.2
test('Remove User removes nobody and says why, and screen readers read this even before the click', async () => {
  const { email, row } = await openAllUsersWithNewCustomer();
  const button = within(row).getByRole('button', { name: `Remove User: ${email}` });
  expect(button).toHaveAccessibleDescription("Removing users isn't available yet.");
  await user.click(button);
  const note = await screen.findByText(`Removing users isn't available yet. ${email} was not removed.`);
  expect(note).toHaveAttribute('role', 'status');
  expect(await roleOf(email)).toBe('member');
});

// Clauses A.1.3, A.2.9, A.2.35, A.6.3, C.16.1
test('admins read the number of orders right below the title of Manage All Orders', async () => {
  await signUp();
  await placeOrder();
  await signInAsAdmin();
  await waitUntilCounted();
  await openPage('/dashboard/manageallorders');
  const line = await screen.findByText(/^[\d,]+ orders? so far\.$/);
  const count = formatWithCommas(await countOrders());
  await waitFor(() => expect(line).toHaveTextContent(new RegExp(`^${count} orders? so far\\.$`)));
  expect(screen.getByRole('heading', { level: 1, name: 'Manage All Orders' }).nextElementSibling).toBe(line);
});

// Clauses A.2.6, A.2.24, A.2.25, A.2.26, A.2.27, A.6.2, A.6.3, A.6.5, C.2.15
test.each([
  ['a customer', ['My Profile', 'My Order', 'Add review']],
  ['an admin', ['My Profile', 'All Users', 'Add Product', 'Manage All Orders']],
])('the dashboard menu of %s has the items of that role and the account button', async (role, items) => {
  const email = role === 'an admin' ? (await signInAsAdmin(), ADMIN_EMAIL) : (await signUp()).email;
  await openPage('/dashboard');
  const menu = within(await screen.findByRole('navigation', { name: 'Dashboard' }));
  await waitFor(() => expect(menu.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(items));
  expect(menu.getByRole('button', { name: 'Your account' })).toHaveAccessibleDescription(email);
});

test('an admin who ordered something finds My Orders on My Profile', async () => {
  await signInAsAdmin();
  await placeOrder();
  await openPage('/dashboard');
  expect(await screen.findByRole('link', { name: 'My Orders' })).toHaveAttribute('href', '/dashboard/myorder');
});
