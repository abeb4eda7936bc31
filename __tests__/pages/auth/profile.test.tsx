import { screen, waitFor, within } from '@testing-library/react';
import { query } from '../../support/database';
import { field, fill, openPage, signUp, user } from '../../support/page';
import { holdRequests } from '../../support/pageCalls';
import { endSessions } from '../../support/session';
import { clearDrafts } from '../../../src/forms/drafts';

const save = () => user.click(screen.getByRole('button', { name: 'Save' }));

const FILLED = { Address: '18 Foundry Row', Phone: '555 0142', LinkedIn: 'linkedin.example/ann' };

const readProfiles = (email: string) =>
  query(
    'select address, education, phone, linked_in from profiles p join users u on u.id = p.user_id where email = $1',
    [email],
  );

// Clauses A.2.9, A.2.38, A.5.7
test('a profile requires an address, a phone number and a LinkedIn link, but no education', async () => {
  const { email } = await signUp();
  await openPage('/dashboard');
  expect(await field('Email')).toHaveValue(email);
  expect(await field('Email')).toHaveAttribute('readonly');
  await save();
  const errors = await screen.findAllByRole('alert');
  expect(errors.map(({ textContent }) => textContent)).toEqual([
    'Address is required',
    'Phone is required',
    'LinkedIn is required',
  ]);
  expect(await field('Address')).toHaveFocus();
  expect(await field('Address')).toHaveAccessibleDescription(/Address is required$/);
  expect(await readProfiles(email)).toEqual([]);
});

// Clauses A.1.2, A.8.6
test('saving a profile shows a toast, and the form has the saved values on the next visit', async () => {
  const { email } = await signUp();
  const { unmount } = await openPage('/dashboard');
  await fill({ ...FILLED, 'Education (optional)': 'Smith' });
  await save();
  expect(await screen.findByText('Your Info Update Successfully')).toBeVisible();
  const [row] = await readProfiles(email);
  expect(row).toEqual({
    address: '18 Foundry Row',
    education: 'Smith',
    phone: '555 0142',
    linked_in: 'https://linkedin.example/ann',
  });
  await waitFor(async () => expect(await field('LinkedIn')).toHaveValue('https://linkedin.example/ann'));
  unmount();
  clearDrafts();
  await openPage('/dashboard');
  expect(await field('Education (optional)')).toHaveValue('Smith');
});

test('an address of which a line seems to be missing is saved, with a warning from leaving the field until it is complete', async () => {
  const { email } = await signUp();
  await openPage('/dashboard');
  const address = await field('Address');
  await user.type(address, '18 Foundry Row');
  expect(screen.queryByText(/^Is a line missing/)).toBeNull();
  await user.tab();
  expect(address).toHaveAccessibleDescription('Is a line missing? Street, city with postal code, country');
  await fill(FILLED);
  await save();
  await waitFor(async () => expect(await readProfiles(email)).toHaveLength(1));
  await user.type(address, '{Enter}61101 Rockford, IL');
  await waitFor(() => expect(screen.queryByText(/^Is a line missing/)).toBeNull());
  expect(address).toHaveAccessibleDescription(/^Company, street, city with state and postal code, country/);
});

describe('A draft of the profile', () => {
  test('is kept during a visit to another page, and is deleted once saved', async () => {
    await signUp();
    const first = await openPage('/dashboard');
    await fill({ Address: 'Half an addr' });
    await user.click(screen.getByRole('link', { name: 'Add review' }));
    await screen.findByRole('heading', { name: 'Add review' });
    await user.click(screen.getByRole('link', { name: 'My Profile' }));
    expect(await field('Address')).toHaveValue('Half an addr');
    await fill(FILLED);
    await save();
    await screen.findByText('Your Info Update Successfully');
    await waitFor(() => expect(localStorage.getItem('draft:profile')).toBeNull());
    first.unmount();
    await openPage('/dashboard');
    await waitFor(async () => expect(await field('Address')).toHaveValue('18 Foundry Row'));
  });

  test('stays when the profile is changed on another device, but fields that were not edited show the new values', async () => {
    const { email } = await signUp();
    await openPage('/dashboard');
    await fill(FILLED);
    await save();
    await screen.findByText('Your Info Update Successfully');
    await fill({ Phone: '555 0999' });
    await query(`update profiles set address = 'Elsewhere', phone = '1' from users where id = user_id and email = $1`, [
      email,
    ]);
    window.dispatchEvent(new Event('focus'));
    await waitFor(async () => expect(await field('Address')).toHaveValue('Elsewhere'));
    expect(await field('Phone')).toHaveValue('555 0999');
  });

  test('keeps the text typed while the profile was being saved', async () => {
    const { email } = await signUp();
    await openPage('/dashboard');
    await fill(FILLED);
    const release = holdRequests('POST');
    await save();
    await user.type(await field('Phone'), '7');
    release();
    await screen.findByText('Your Info Update Successfully');
    await waitFor(async () => expect(await field('LinkedIn')).toHaveValue('https://linkedin.example/ann'));
    expect(await field('Phone')).toHaveValue('555 01427');
    expect(localStorage.getItem('draft:profile')).toContain('555 01427');
    expect(await readProfiles(email)).toMatchObject([{ phone: '555 0142' }]);
    await save();
    await waitFor(async () => expect(await readProfiles(email)).toMatchObject([{ phone: '555 01427' }]));
  });

  test('is not shown to the next user', async () => {
    await signUp();
    const { unmount } = await openPage('/dashboard');
    await fill({ Address: 'Mine' });
    unmount();
    await signUp('Bob');
    await openPage('/dashboard');
    expect(await field('Address')).toHaveValue('');
  });
});

describe('A session that ends before the profile is saved', () => {
  // Clauses A.8.4, C.11.3
  test('shows an error, and the form keeps its values after the next login', async () => {
    const ann = await signUp();
    await openPage('/dashboard');
    await fill(FILLED);
    await endSessions(ann.email);
    await save();
    expect(await screen.findByText('No user is logged in')).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Login' })).toBeVisible();
    expect(await readProfiles(ann.email)).toEqual([]);
    await user.type(await field('Email'), ann.email);
    await user.type(await field('Password'), ann.password);
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Log in' }));
    expect(await screen.findByRole('heading', { name: 'My Profile' })).toBeVisible();
    expect(await field('Address')).toHaveValue('18 Foundry Row');
    expect(await field('LinkedIn')).toHaveValue('linkedin.example/ann');
  });
});
