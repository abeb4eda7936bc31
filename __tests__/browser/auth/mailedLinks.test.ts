import type { Page } from 'playwright-core';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { SESSION_MESSAGES } from '../../../src/contract/identityMessages';
import { shopOrigin } from '../../support/api';
import { findDisplayProblems, setDisplay, waitForToast } from '../../support/assertions';
import { browserFixture, dispatchWindowFocus, fill, NETWORK_ERROR } from '../../support/browser';
import { newAccount, newEmail } from '../../support/customers';
import { query } from '../../support/database';
import {
  logIn,
  mainButton,
  signInAsNewUser,
  signUp,
  waitUntilInteractive,
  waitUntilSignedIn,
} from '../../support/session';
import { waitUntil } from '../../support/wait';

const fixture = browserFixture();
const NEW_PASSWORD = 'another-secret-2';
const DEMO_NOTE = 'This demo sends no email. To find the link, run npm run mail, then npm run mail -- show ID.';

async function findLink(email: string, kind: 'verify email' | 'reset password'): Promise<string> {
  const sql = 'select link from mails where recipient = $1 and kind = $2 order by id desc limit 1';
  return waitUntil(async () => (await query<{ link: string }>(sql, [email, kind]))[0]?.link);
}

async function requestReset(page: Page, email: string) {
  await page.goto('/login');
  await waitUntilInteractive(page);
  await fill(page, { Email: email });
  await mainButton(page, 'Forgot your password?').click();
  await page.getByText(PAGE_MESSAGES.passwordResetSent).waitFor();
  return findLink(email, 'reset password');
}

const actionPage = (query: Record<string, string>) => `${shopOrigin()}/__/auth/action?${new URLSearchParams(query)}`;

// Clause C.5.10
test('a new customer opens the mailed link, and the shop knows at the next look that the email is verified', async () => {
  const { page, visitor } = fixture;
  const email = newEmail();
  await signUp(page, email);
  await page.goto('/dashboard');
  await page.getByText(PAGE_MESSAGES.emailNotVerified).waitFor();
  await page.getByText(DEMO_NOTE).waitFor();
  expect(await findDisplayProblems(page, 'unverified email')).toEqual([]);

  const mailTab = await visitor.context.newPage();
  await mailTab.goto(await findLink(email, 'verify email'));
  await mailTab.getByRole('heading', { name: 'Your email is verified' }).waitFor();
  await dispatchWindowFocus(page);
  await waitForToast(page, SESSION_MESSAGES.emailVerified);
  await page.getByText(PAGE_MESSAGES.emailNotVerified).waitFor({ state: 'detached' });
  expect(await query('select email_verified as verified from users where email = $1', [email])).toEqual([
    { verified: true },
  ]);

  await mailTab.getByRole('link', { name: 'Continue to Forgeline' }).click();
  await waitUntilSignedIn(mailTab);
  expect(mailTab.url()).toBe(`${shopOrigin()}/`);
});

// Clause C.11.12
test('a customer who forgot the password sets a new one by a mailed link, and logs in with it', async () => {
  const { page, visitor } = fixture;
  const email = newEmail();
  await newAccount(email);
  const link = await requestReset(page, email);
  await page.getByText(DEMO_NOTE).waitFor();
  expect(await findDisplayProblems(page, 'link sent')).toEqual([]);

  await page.goto(link);
  await page.getByText(`For your account ${email}.`).waitFor();
  await fill(page, { 'New password': 'short' });
  await mainButton(page, 'Save password').click();
  await page.getByRole('alert').getByText('Use at least 6 characters.').waitFor();
  expect(await findDisplayProblems(page, 'short password')).toEqual([]);
  visitor.allowedErrors.push(/400/);
  await fill(page, { 'New password': 'password1' });
  await mainButton(page, 'Save password').click();
  await page.getByRole('alert').getByText('This password is too common.').waitFor();
  await page.getByRole('button', { name: 'Show password' }).click();
  await fill(page, { 'New password': NEW_PASSWORD });
  await mainButton(page, 'Save password').click();
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.waitForURL(`${shopOrigin()}/login`);
  await setDisplay(page, 'light', 1280);
  await logIn(page, email, NEW_PASSWORD);
  await waitUntilSignedIn(page);

  await page.goto(link);
  await page.getByRole('heading', { name: "This link doesn't work anymore" }).waitFor();
  expect(await findDisplayProblems(page, 'used link')).toEqual([]);
});

test.each(['https://evil.example/', 'javascript:alert(1)', '//evil.example', `${'http'}://localhost@evil.example/`])(
  'a link with the return address %s leads to the home page',
  async (continueUrl) => {
    const { page } = fixture;
    await page.goto(actionPage({ mode: 'verifyEmail', continueUrl }));
    await page.getByRole('heading', { name: "This link isn't complete" }).waitFor();
    expect(await page.getByRole('link').getAttribute('href')).toBe('/');
  },
);

test('a link that is opened offline verifies the email at the next try', async () => {
  const { page, visitor } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard');
  await mainButton(page, 'Send the link again').click();
  await page.getByText(PAGE_MESSAGES.verificationSent).waitFor();
  visitor.allowedErrors.push(NETWORK_ERROR);
  await page.route('**/accounts:update', (route) => route.abort(), { times: 1 });
  await page.goto(await findLink(email, 'verify email'));
  await page.getByText("We can't reach the shop.").waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Your email is verified' }).waitFor();
});
