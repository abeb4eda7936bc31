import type { Route } from 'playwright-core';
import { COMMON_PASSWORD, IDENTITY_SENTENCES } from '../../../src/contract/identityMessages';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { putUser, shopOrigin } from '../../support/api';
import { expectErrorToast, overflow, problemsInAnyLook } from '../../support/assertions';
import { allowError, browserFixture, fill, NO_ANSWER, storedToken } from '../../support/browser';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import { query } from '../../support/database';
import { expectEventually } from '../../support/wait';
import { alerts, isAt, isIn, isOut, logIn, pathOf, submit, waitUntilInteractive } from '../../support/session';

const fixture = browserFixture();

// Clauses A.5.1, A.5.2, A.5.3
test('every rule is told in its own words, and nothing is sent', async () => {
  const { page, visitor } = fixture;
  await page.goto('/signup');
  await submit(page, 'Signup').click();
  const expectErrorToast = () => alerts(page).allTextContents();
  await expectEventually(expectErrorToast, [
    SPEC_MESSAGES.nameRequired,
    SPEC_MESSAGES.emailRequired,
    SPEC_MESSAGES.passwordRequired,
  ]);
  await fill(page, { Name: ' ', Email: 'a1@b2.cc', Password: '12345' });
  await submit(page, 'Signup').click();
  await expectEventually(expectErrorToast, [
    SPEC_MESSAGES.nameRequired,
    SPEC_MESSAGES.emailInvalid,
    SPEC_MESSAGES.passwordShort,
  ]);
  await page.goto('/login');
  await submit(page, 'Login').click();
  await expectEventually(expectErrorToast, [SPEC_MESSAGES.emailRequired, SPEC_MESSAGES.passwordRequired]);
  expect(visitor.requests.filter((url) => url.includes('accounts:'))).toEqual([]);
  expect(pathOf(page)).toBe('/login');
});

// Clauses A.2.17, A.8.1
test('what the provider refuses is told in words under the form, in red, and the same for whoever is unknown', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/login');
  for (const [who, password] of [
    [email, 'wrong-password'],
    [newEmail(), PASSWORD],
  ]) {
    const refused = page.waitForResponse(/accounts:signInWithPassword/);
    await logIn(page, who!, password);
    await refused;
    await page.getByText(IDENTITY_SENTENCES['auth/invalid-credential']!).waitFor();
    await fill(page, { Password: '' });
  }
  const color = await alerts(page)
    .first()
    .evaluate((element) => getComputedStyle(element).color);
  expect(color).toBe('rgb(179, 38, 30)');
  expect(await storedToken(page)).toBeNull();

  await page.goto('/signup');
  await fill(page, { Name: 'Ann', Email: email, Password: PASSWORD });
  await submit(page, 'Signup').click();
  await page.getByText(IDENTITY_SENTENCES['auth/email-already-in-use']!).waitFor();
  expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(email);
});

test('a common password is refused under the form, and another one opens the account', async () => {
  const { page } = fixture;
  await page.goto('/signup');
  await fill(page, { Name: 'Ann Lee', Email: newEmail(), Password: 'password1' });
  await submit(page, 'Signup').click();
  await alerts(page).getByText(COMMON_PASSWORD).waitFor();
  await isOut(page);
  await fill(page, { Password: PASSWORD });
  await submit(page, 'Signup').click();
  await isIn(page);
});

test('a person whom the shop refuses is not signed in at the identity provider either, also after a reload', async () => {
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
  await isOut(page);
  const kept = await page.evaluate(() => Object.keys(localStorage));
  expect(kept.filter((key) => /^(accessToken|firebase:authUser)/.test(key))).toEqual([]);
});

test('a service that cannot be reached is told in words, and the next try works', async () => {
  const { page, visitor } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/login');
  await page.route('**/accounts:signInWithPassword*', (route) => route.abort());
  await logIn(page, email);
  await page.getByText(IDENTITY_SENTENCES['auth/network-request-failed']!).waitFor();
  await page.unroute('**/accounts:signInWithPassword*');
  await page.route('**/user/*', (route) => route.abort());
  await submit(page, 'Login').click();
  await page.getByText(APP_MESSAGES.offline).waitFor();
  await isOut(page);
  await page.unroute('**/user/*');
  await submit(page, 'Login').click();
  await isIn(page);
  allowError(visitor, NO_ANSWER);
});

// Clauses A.7.19, A.8.2, C.11.9
test('an account whose name could not be set: said in red, and the button only tries the name again', async () => {
  const { page, visitor } = fixture;
  const email = newEmail();
  await page.goto('/signup');
  await page.route('**/accounts:update*', (route) => route.abort());
  await fill(page, { Name: 'Ann', Email: email, Password: PASSWORD });
  await submit(page, 'Signup').click();
  await page.getByText(IDENTITY_SENTENCES['auth/network-request-failed']!).waitFor();
  await isOut(page);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ann');
  await page.unroute('**/accounts:update*');
  const signUps = () => visitor.requests.filter((url) => url.includes('accounts:signUp')).length;
  expect(signUps()).toBe(1);
  await fill(page, { Name: 'Ann Lee' });
  await submit(page, 'Save the name').click();
  await isIn(page);
  expect(signUps()).toBe(1);
  allowError(visitor, NO_ANSWER);
});

// Clauses A.8.4, C.11.10
test('a name for an account that is no longer there', async () => {
  const { page, visitor } = fixture;
  await page.goto('/signup');
  await page.route('**/accounts:update*', (route) => route.abort());
  await fill(page, { Name: 'Ann', Email: newEmail(), Password: PASSWORD });
  await submit(page, 'Signup').click();
  await alerts(page).first().waitFor();
  const other = await visitor.context.newPage();
  await other.goto('/robots.txt');
  await page.evaluate(() =>
    addEventListener('storage', () => setTimeout(() => Object.assign(window, { heard: true }))),
  );
  await other.evaluate(() => localStorage.clear());
  await page.waitForFunction(() => 'heard' in window);
  await page.unroute('**/accounts:update*');
  await submit(page, 'Save the name').click();
  await page.getByText(SPEC_MESSAGES.noUser).waitFor();
  allowError(visitor, NO_ANSWER);
});

// Clause C.11.4
test('a way back that leads to another site leads home', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  await page.goto('/login');
  await page.evaluate(() => history.replaceState({ usr: { from: '//evil.example/x' }, key: 'x', idx: 0 }, ''));
  await page.reload();
  await logIn(page, email);
  await isIn(page);
  await isAt(page, '/');
  expect(new URL(page.url()).origin).toBe(new URL(shopOrigin()).origin);
});

test.each(['/login', '/signup'])('%s with errors is for everybody, in every look', async (path) => {
  const { page } = fixture;
  await page.goto(path);
  await submit(page, path === '/login' ? 'Login' : 'Signup').click();
  await alerts(page).first().waitFor();
  expect(await problemsInAnyLook(page, path)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await overflow(page)).toBe(0);
});

// Clause C.12.2
test('a form that is used before its script is there puts nothing in an address', async () => {
  const { visitor, page } = fixture;
  await visitor.context.route('**/assets/*.js', (route) => route.abort());
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    const form = page.getByRole('main').locator('form');
    expect(await form.getAttribute('method')).toBe('post');
    expect(await form.locator('[type=submit]').isDisabled()).toBe(true);
  }
  allowError(visitor, NO_ANSWER);
});

// Clause C.4.2
test('a failure of the shop’s own has a code to read out, under a form and in a toast', async () => {
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
  await submit(page, 'Login').click();
  await isIn(page);

  await page.goto('/dashboard');
  await page.route('**/profile', fail);
  await fill(page, { Address: 'a', Phone: 'p', LinkedIn: 'https://a.example' });
  await submit(page, 'Save').click();
  await expectErrorToast(page, `${detail} (code 89abcdef)`);
});
