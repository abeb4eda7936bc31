import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/contract/demo';
import { IDENTITY_SENTENCES } from '../../../src/contract/identityMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import {
  browserFixture,
  expectToClose,
  fill,
  holdRequests,
  storedToken,
  waitUntilChooserInteractive,
} from '../../support/browser';
import {
  isAt,
  isIn,
  isOut,
  logIn,
  nav,
  pathOf,
  signInAsNewUser,
  signOut,
  signUp,
  submit,
  waitUntilInteractive,
} from '../../support/session';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import { expectEventually, waitUntil } from '../../support/wait';

const fixture = browserFixture();

// Clauses A.1.4, A.1.5, A.2.16, A.2.18, A.2.19, A.2.22, A.4.1, C.10.2, C.11.1
test('a person signs up, reloads, signs out and logs in again', async () => {
  const { page } = fixture;
  const email = newEmail();
  await signUp(page, email);
  await isAt(page, '/');
  const token = await storedToken(page);
  expect(token).toMatch(/^ey/);

  await page.reload();
  await isIn(page);
  expect(await storedToken(page)).toBe(token);

  await signOut(page);
  expect(await storedToken(page)).toBeNull();
  await page.reload();
  await isOut(page);

  await page.goto('/login');
  await logIn(page, email);
  await isIn(page);
  await isAt(page, '/');
  expect(await storedToken(page)).toMatch(/^ey/);
});

// Clauses A.2.16, A.4.3
test('who wanted somewhere comes back there, even by way of the signup page; who asks for no page goes home', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/dashboard/myorder?x=1');
  await isAt(page, '/login');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('link', { name: 'Log in' }).click();
  await logIn(page, email);
  await isAt(page, '/dashboard/myorder?x=1');
});

// Clause A.2.16
test('who pressed Login on a page comes back to that page', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/blogs');
  await nav(page).getByRole('link', { name: 'Login' }).click();
  await nav(page).getByRole('link', { name: 'Login' }).click();
  await logIn(page, email);
  await isAt(page, '/blogs');
});

test('who pressed Login before the page’s scripts came is led back too', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  const { letGo } = await holdRequests(page, '**/assets/*.js', 'GET');
  await page.goto('/about', { waitUntil: 'commit' });
  await nav(page).getByRole('link', { name: 'Login' }).click({ noWaitAfter: true });
  await page.waitForURL('**/login', { waitUntil: 'commit' });
  await nav(page).getByRole('link', { name: 'Login' }).click({ noWaitAfter: true });
  letGo();
  await logIn(page, email);
  await isAt(page, '/about');
});

// Clause A.4.4
test('the access token is there before the page that one goes to', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/');
  await waitUntilInteractive(page);
  await page.evaluate(() => {
    const { pushState, replaceState } = history;
    const watch = (real: typeof pushState) =>
      function (this: History, ...given: Parameters<typeof pushState>) {
        if (String(given[2]) === '/') sessionStorage.setItem('token-then', String(localStorage.getItem('accessToken')));
        return real.apply(this, given);
      };
    Object.assign(history, { pushState: watch(pushState), replaceState: watch(replaceState) });
  });
  await nav(page).getByRole('link', { name: 'Login' }).click();
  await logIn(page, email);
  await isIn(page);
  expect(await page.evaluate(() => sessionStorage.getItem('token-then'))).toMatch(/^ey/);
});

test.each(['Login', 'Signup'])('who goes elsewhere before the answer to a %s stays there, signed in', async (name) => {
  const { page } = fixture;
  const email = newEmail();
  if (name === 'Login') await newAccount(email);
  await page.goto(`/${name.toLowerCase()}`);
  const { letGo, asked } = await holdRequests(page, '**/user/*', 'PUT');
  if (name === 'Signup') await fill(page, { Name: 'Ann Lee' });
  await fill(page, { Email: email, Password: PASSWORD });
  await submit(page, name).click();
  await waitUntil(() => asked() > 0);
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await page.getByRole('heading', { name: 'BLOG POSTS' }).waitFor();
  letGo();
  await isIn(page);
  await page.waitForTimeout(500);
  expect(pathOf(page)).toBe('/blogs');
});

// Clauses A.1.4, A.1.5, A.2.18, A.4.1, C.10.4
test('with Google, by the local chooser: once chosen, one is in; closed, it is said', async () => {
  const { page } = fixture;
  await page.goto('/login');
  const google = page.getByRole('button', { name: 'Continue with Google' });
  const [closed] = await Promise.all([page.waitForEvent('popup'), google.click()]);
  await closed.close();
  await page.getByText(IDENTITY_SENTENCES['auth/popup-closed-by-user']!).waitFor();

  const email = newEmail();
  const [chooser] = await Promise.all([page.waitForEvent('popup'), google.click()]);
  await waitUntilChooserInteractive(chooser);
  await chooser.getByLabel('Name').fill('Goo Gle');
  await chooser.getByLabel('Email').fill(email);
  await expectToClose(chooser, () => chooser.getByLabel('Email').press('Enter'));
  await isIn(page, 'Goo Gle');
  await isAt(page, '/');
  expect(await storedToken(page)).toMatch(/^ey/);
});

// Clause A.8.12
test('a pop-up that the browser blocks is told in words', async () => {
  const { page } = fixture;
  await page.goto('/login');
  await page.evaluate(() => Object.assign(window, { open: () => null }));
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByText(IDENTITY_SENTENCES['auth/popup-blocked']!).waitFor();
});

// Clauses A.2.6, A.2.26, A.4.5
test('the demo accounts fill the form in one click, and the admin sees the menu of admins', async () => {
  const { page } = fixture;
  const admin = DEMO_ACCOUNTS.find((account) => account.admin)!;
  await page.goto('/dashboard/allusers');
  await isAt(page, '/login');
  await page.getByRole('button', { name: admin.email }).click();
  await expectEventually(() => page.getByLabel('Password', { exact: true }).inputValue(), DEMO_PASSWORD);
  await submit(page, 'Login').click();
  await isAt(page, '/dashboard/allusers');
  await page.getByRole('link', { name: 'All Users', exact: true }).waitFor();
});

// Clauses A.4.5, C.11.7
test('a page for admins sends others to log in, which says why and stays', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto('/dashboard/addproduct');
  await isAt(page, '/login');
  await page.getByText(PAGE_MESSAGES.needsAdmin).waitFor();
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor();
  await page.waitForTimeout(500);
  expect(pathOf(page)).toBe('/login');
});

test('with storage closed to the shop one is a visitor, and can log in for as long as the page lasts', async () => {
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
  await isAt(page, '/login');
  await isOut(page);
  await logIn(page, email);
  await isAt(page, '/dashboard/myorder');
  await page.getByText('No orders yet').waitFor();
  await signOut(page);
  await isAt(page, '/login');
});
