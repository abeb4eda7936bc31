import { IDENTITY_MESSAGES } from '../../../src/contract/identityMessages';
import { findDisplayProblems } from '../../support/assertions';
import { browserFixture, fill, NETWORK_ERROR, storedToken } from '../../support/browser';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import { waitUntilSignedIn, waitUntilSignedOut, logIn, mainButton } from '../../support/session';

const fixture = browserFixture();
const alert = () => fixture.page.getByRole('main').getByRole('alert').first();

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
  const color = await alert().evaluate((element) => getComputedStyle(element).color);
  expect(color).toBe('rgb(179, 38, 30)');
  expect(await storedToken(page)).toBeNull();

  await page.goto('/signup');
  await fill(page, { Name: 'Ann', Email: email, Password: PASSWORD });
  await mainButton(page, 'Sign up').click();
  await page.getByText(IDENTITY_MESSAGES['auth/email-already-in-use']!).waitFor();
  expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(email);
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
  visitor.allowedErrors.push(NETWORK_ERROR);
});

test.each(['/login', '/signup'])(
  'the page %s is accessible and fits every display while it shows errors',
  async (path) => {
    const { page } = fixture;
    await page.goto(path);
    await mainButton(page, path === '/login' ? 'Log in' : 'Sign up').click();
    await alert().waitFor();
    expect(await findDisplayProblems(page, path)).toEqual([]);
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
  visitor.allowedErrors.push(NETWORK_ERROR);
});
