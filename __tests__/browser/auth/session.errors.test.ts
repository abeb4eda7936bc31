import type { Route } from 'playwright-core';
import { COMMON_PASSWORD_MESSAGE, IDENTITY_MESSAGES } from '../../../src/contract/identityMessages';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { putUser, shopOrigin } from '../../support/api';
import { expectErrorToast, measureHorizontalOverflow, findDisplayProblems } from '../../support/assertions';
import { allowError, browserFixture, fill, NETWORK_ERROR, storedToken } from '../../support/browser';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import { query } from '../../support/database';
import { expectEventually } from '../../support/wait';
import {
  alerts,
  waitForPath,
  waitUntilSignedIn,
  waitUntilSignedOut,
  logIn,
  pathOf,
  mainButton,
  waitUntilInteractive,
} from '../../support/session';

const fixture = browserFixture();

// Clauses A.5.1, A.5.2, A.5.3
test('the signup and login forms show a message at each invalid field and send no request', async () => {
  const { page, visitor } = fixture;
  await page.goto('/signup');
  await mainButton(page, 'Sign up').click();
  const readAlerts = () => alerts(page).allTextContents();
  await expectEventually(readAlerts, [
    SPEC_MESSAGES.nameRequired,
    SPEC_MESSAGES.emailRequired,
    SPEC_MESSAGES.passwordRequired,
  ]);
  await fill(page, { Name: ' ', Email: 'a1@b2.cc', Password: '12345' });
  await mainButton(page, 'Sign up').click();
  await expectEventually(readAlerts, [
    SPEC_MESSAGES.nameRequired,
    SPEC_MESSAGES.emailInvalid,
    SPEC_MESSAGES.passwordShort,
  ]);
  await page.goto('/login');
  await mainButton(page, 'Log in').click();
  await expectEventually(readAlerts, [SPEC_MESSAGES.emailRequired, SPEC_MESSAGES.passwordRequired]);
  expect(visitor.requests.filter((url) => url.includes('accounts:'))).toEqual([]);
  expect(pathOf(page)).toBe('/login');
});

// Clauses A.2.17, A.8.1
test('login shows the same red message for a wrong password and an unknown email, and signup reports an email in use', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/login');
  for (const [address, password] of [
    [email, 'wrong-password'],
    [newEmail(), PASSWORD],
  ]) {
    const refused = page.waitForResponse(/accounts:signInWithPassword/);
    await logIn(page, address!, password);
    await refused;
    await page.getByText(IDENTITY_MESSAGES['auth/invalid-credential']!).waitFor();
    await fill(page, { Password: '' });
  }
  const color = await alerts(page)
    .first()
    .evaluate((element) => getComputedStyle(element).color);
  expect(color).toBe('rgb(179, 38, 30)');
  expect(await storedToken(page)).toBeNull();

  await page.goto('/signup');
  await fill(page, { Name: 'Ann', Email: email, Password: PASSWORD });
  await mainButton(page, 'Sign up').click();
  await page.getByText(IDENTITY_MESSAGES['auth/email-already-in-use']!).waitFor();
  expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(email);
});

test('a common password is refused at signup with an error, and a stronger one creates the account', async () => {
  const { page } = fixture;
  await page.goto('/signup');
  await fill(page, { Name: 'Ann Lee', Email: newEmail(), Password: 'password1' });
  await mainButton(page, 'Sign up').click();
  await alerts(page).getByText(COMMON_PASSWORD_MESSAGE).waitFor();
  await waitUntilSignedOut(page);
  await fill(page, { Password: PASSWORD });
  await mainButton(page, 'Sign up').click();
  await waitUntilSignedIn(page);
});

test('a blocked user gets a message at login, and stays signed out when the page is reloaded after unblocking', async () => {
  const { page } = fixture;
  const email = newEmail();
  const { idToken } = await newAccount(email);
  await putUser(shopOrigin(), email, idToken);
  await query('update users set blocked_at = now() where email = $1', [email]);
  await page.goto('/login');
  await logIn(page, email);
  await alerts(page).getByText('This account is blocked.', { exact: false }).waitFor();
  await query('update users set blocked_at = null where email = $1', [email]);
  await page.reload();
  await waitUntilInteractive(page);
  await page.waitForTimeout(500);
  await waitUntilSignedOut(page);
  const storedKeys = await page.evaluate(() => Object.keys(localStorage));
  expect(storedKeys.filter((key) => /^(accessToken|firebase:authUser)/.test(key))).toEqual([]);
});

test('a login during an outage shows a message, and logging in again afterwards works', async () => {
  const { page, visitor } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/login');
  await page.route('**/accounts:signInWithPassword*', (route) => route.abort());
  await logIn(page, email);
  await page.getByText(IDENTITY_MESSAGES['auth/network-request-failed']!).waitFor();
  await page.unroute('**/accounts:signInWithPassword*');
  await page.route('**/user/*', (route) => route.abort());
  await mainButton(page, 'Log in').click();
  await page.getByText(APP_MESSAGES.offline).waitFor();
  await waitUntilSignedOut(page);
  await page.unroute('**/user/*');
  await mainButton(page, 'Log in').click();
  await waitUntilSignedIn(page);
  allowError(visitor, NETWORK_ERROR);
});

// Clauses A.7.19, A.8.2, C.11.9
test('if signup creates the account but cannot save the name, an error appears and a button saves only the name', async () => {
  const { page, visitor } = fixture;
  const email = newEmail();
  await page.goto('/signup');
  await page.route('**/accounts:update*', (route) => route.abort());
  await fill(page, { Name: 'Ann', Email: email, Password: PASSWORD });
  await mainButton(page, 'Sign up').click();
  await page.getByText(IDENTITY_MESSAGES['auth/network-request-failed']!).waitFor();
  await waitUntilSignedOut(page);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ann');
  await page.unroute('**/accounts:update*');
  const signUps = () => visitor.requests.filter((url) => url.includes('accounts:signUp')).length;
  expect(signUps()).toBe(1);
  await fill(page, { Name: 'Ann Lee' });
  await mainButton(page, 'Save your name').click();
  await waitUntilSignedIn(page);
  expect(signUps()).toBe(1);
  allowError(visitor, NETWORK_ERROR);
});

// Clauses A.8.4, C.11.10
test('saving the name shows "No user is logged in" if the session has been deleted', async () => {
  const { page, visitor } = fixture;
  await page.goto('/signup');
  await page.route('**/accounts:update*', (route) => route.abort());
  await fill(page, { Name: 'Ann', Email: newEmail(), Password: PASSWORD });
  await mainButton(page, 'Sign up').click();
  await alerts(page).first().waitFor();
  const other = await visitor.context.newPage();
  await other.goto('/robots.txt');
  await page.evaluate(() =>
    addEventListener('storage', () => setTimeout(() => Object.assign(window, { hasStorageChanged: true }))),
  );
  await other.evaluate(() => localStorage.clear());
  await page.waitForFunction(() => 'hasStorageChanged' in window);
  await page.unroute('**/accounts:update*');
  await mainButton(page, 'Save your name').click();
  await page.getByText(SPEC_MESSAGES.noUser).waitFor();
  allowError(visitor, NETWORK_ERROR);
});

// Clause C.11.4
test('login ignores a return path that points to another site, and leads to the home page', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/login');
  await page.evaluate(() => history.replaceState({ usr: { from: '//evil.example/x' }, key: 'x', idx: 0 }, ''));
  await page.reload();
  await logIn(page, email);
  await waitUntilSignedIn(page);
  await waitForPath(page, '/');
  expect(new URL(page.url()).origin).toBe(new URL(shopOrigin()).origin);
});

test.each(['/login', '/signup'])(
  'the page %s is accessible and fits every display while it shows errors',
  async (path) => {
    const { page } = fixture;
    await page.goto(path);
    await mainButton(page, path === '/login' ? 'Log in' : 'Sign up').click();
    await alerts(page).first().waitFor();
    expect(await findDisplayProblems(page, path)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await measureHorizontalOverflow(page)).toBe(0);
  },
);

// Clause C.12.2
test('without scripts, the login and signup forms use POST and cannot be submitted', async () => {
  const { visitor, page } = fixture;
  await visitor.context.route('**/assets/*.js', (route) => route.abort());
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    const form = page.getByRole('main').locator('form');
    expect(await form.getAttribute('method')).toBe('post');
    expect(await form.locator('[type=submit]').isDisabled()).toBe(true);
  }
  allowError(visitor, NETWORK_ERROR);
});

// Clause C.4.2
test('a server error is shown with the code that identifies the request', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  const detail = 'Something went wrong here.';
  const problem = { status: 500, code: 'internal', detail, instance: 'urn:request:0123456789abcdef' };
  const fail = (route: Route) => route.fulfill({ status: 500, json: problem });
  await page.goto('/login');
  await page.route('**/user/*', fail);
  await logIn(page, email);
  await expectErrorToast(page, `${detail} (code 89abcdef)`);
  await page.unroute('**/user/*');
  await mainButton(page, 'Log in').click();
  await waitUntilSignedIn(page);

  await page.goto('/dashboard');
  await page.route('**/profile', fail);
  await fill(page, { Address: 'a', Phone: 'p', LinkedIn: 'https://a.example' });
  await mainButton(page, 'Save').click();
  await expectErrorToast(page, `${detail} (code 89abcdef)`);
});
