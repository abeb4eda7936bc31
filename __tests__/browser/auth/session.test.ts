import { IDENTITY_MESSAGES } from '../../../src/contract/identityMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { browserFixture, holdRequests, storedToken } from '../../support/browser';
import {
  waitForPath,
  waitUntilSignedIn,
  waitUntilSignedOut,
  logIn,
  nav,
  signInAsNewUser,
  signOut,
  signUp,
} from '../../support/session';
import { newAccount, newEmail } from '../../support/customers';
import { waitUntil } from '../../support/wait';
import { expectToClose, waitUntilChooserInteractive } from './chooserWindow';
import { shopOrigin } from '../../support/api';

const fixture = browserFixture();

// Clauses A.1.4, A.1.5, A.2.16, A.2.18, A.2.19, A.2.22, A.4.1, C.10.2, C.11.1
test('a user signs up, reloads, signs out and logs in again', async () => {
  const { page } = fixture;
  const email = newEmail();
  await signUp(page, email);
  await waitForPath(page, '/');
  const token = await storedToken(page);
  expect(token).toMatch(/^ey/);

  await page.reload();
  await waitUntilSignedIn(page);
  expect(await storedToken(page)).toBe(token);

  await signOut(page);
  expect(await storedToken(page)).toBeNull();
  await page.reload();
  await waitUntilSignedOut(page);

  await page.goto('/login');
  await logIn(page, email);
  await waitUntilSignedIn(page);
  await waitForPath(page, '/');
  expect(await storedToken(page)).toMatch(/^ey/);
});

// Clauses A.2.16, A.4.3
test('after logging in, the user returns to the page that required a login, even after a detour to the signup page', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/dashboard/myorder?x=1');
  await waitForPath(page, '/login');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('link', { name: 'Log in' }).click();
  await logIn(page, email);
  await waitForPath(page, '/dashboard/myorder?x=1');
});

// Clause A.2.16
test('after logging in, the user returns to the page on which Login was clicked', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/blogs');
  await nav(page).getByRole('link', { name: 'Login' }).click();
  await nav(page).getByRole('link', { name: 'Login' }).click();
  await logIn(page, email);
  await waitForPath(page, '/blogs');
});

test('a user who leaves the login page before the response arrives is signed in, and remains on the new page', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/login');
  const { release, countRequests } = await holdRequests(page, '**/user/*', 'PUT');
  await logIn(page, email);
  await waitUntil(() => countRequests() > 0);
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await page.getByRole('heading', { name: 'BLOG POSTS' }).waitFor();
  release();
  await waitUntilSignedIn(page);
  await page.waitForLoadState('networkidle');
  expect(page.url()).toBe(`${shopOrigin()}/blogs`);
});

// Clauses A.1.4, A.1.5, A.2.18, A.4.1, C.10.4
test('choosing an account in the embedded Google chooser signs the user in, and closing it shows a message', async () => {
  const { page } = fixture;
  await page.goto('/login');
  const google = page.getByRole('button', { name: 'Continue with Google' });
  const [closedChooser] = await Promise.all([page.waitForEvent('popup'), google.click()]);
  await closedChooser.close();
  await page.getByText(IDENTITY_MESSAGES['auth/popup-closed-by-user']!).waitFor();

  const email = newEmail();
  const [chooser] = await Promise.all([page.waitForEvent('popup'), google.click()]);
  await waitUntilChooserInteractive(chooser);
  await chooser.getByLabel('Name').fill('Goo Gle');
  await chooser.getByLabel('Email').fill(email);
  await expectToClose(chooser, () => chooser.getByLabel('Email').press('Enter'));
  await waitUntilSignedIn(page, 'Goo Gle');
  await waitForPath(page, '/');
  expect(await storedToken(page)).toMatch(/^ey/);
});

// Clauses A.4.5, C.11.7
test('an admin page redirects a customer to the login page, which explains why', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto('/dashboard/addproduct');
  await waitForPath(page, '/login');
  await page.getByText(PAGE_MESSAGES.adminsOnly).waitFor();
  await page.getByRole('heading', { name: "You're logged in" }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(page.url()).toBe(`${shopOrigin()}/login`);
});

test('a user whose browser blocks storage can log in, open My Orders and sign out', async () => {
  const { page, visitor } = fixture;
  await visitor.context.addInitScript(() => {
    const get = () => {
      throw new DOMException('Storage is closed.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get });
  });
  const email = newEmail();
  await newAccount(email);
  await page.goto('/dashboard/myorder');
  await waitForPath(page, '/login');
  await waitUntilSignedOut(page);
  await logIn(page, email);
  await waitForPath(page, '/dashboard/myorder');
  await page.getByText('No orders yet').waitFor();
  await signOut(page);
  await waitForPath(page, '/login');
});
