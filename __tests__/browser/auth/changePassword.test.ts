import type { Page } from 'playwright-core';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { shopOrigin } from '../../support/api';
import { waitForToast } from '../../support/assertions';
import { browserFixture, fill, holdRequests, newVisitor, storedToken } from '../../support/browser';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import {
  logIn,
  signInAs,
  signInAsNewUser,
  signOut,
  mainButton,
  waitUntilSignedIn,
  waitUntilSignedOut,
} from '../../support/session';
import { waitUntil } from '../../support/wait';

const fixture = browserFixture();
const NEW_PASSWORD = 'another-secret-2';

async function changePassword(page: Page, current: string, next: string): Promise<void> {
  await fill(page, { 'Current password': current, 'New password': next });
  await mainButton(page, 'Change password').click();
}

test('a customer changes the password to another one, stays logged in here, and is logged out on other devices', async () => {
  const { page, browser } = fixture;
  const email = newEmail();
  await newAccount(email);
  await signInAs(page, email);
  const other = await newVisitor(browser, shopOrigin());
  await signInAs(other.page, email);
  await other.page.goto('/dashboard/myorder');
  await other.page.getByRole('heading', { name: 'No orders yet' }).waitFor();

  await page.goto('/dashboard');
  const before = await storedToken(page);
  await changePassword(page, PASSWORD, PASSWORD);
  await page.getByText(PAGE_MESSAGES.passwordUnchanged).waitFor();
  await changePassword(page, PASSWORD, NEW_PASSWORD);
  await waitForToast(page, PAGE_MESSAGES.passwordChanged);
  expect(await page.getByLabel('New password').inputValue()).toBe('');
  expect(await storedToken(page)).not.toBe(before);
  await page.goto('/dashboard/myorder');
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor();

  other.allowedErrors.push(/401|400/);
  await other.page.reload();
  await waitUntilSignedOut(other.page);
  await other.context.close();

  await signOut(page);
  await page.goto('/login');
  fixture.visitor.allowedErrors.push(/400/);
  await logIn(page, email, PASSWORD);
  await page.getByText('Wrong email or password.').waitFor();
  await logIn(page, email, NEW_PASSWORD);
  await waitUntilSignedIn(page);
});

test('while the password is changing, leaving the page asks first, and the change goes on', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto('/dashboard');
  const held = await holdRequests(page, '**/accounts:update*');
  await changePassword(page, PASSWORD, NEW_PASSWORD);
  await waitUntil(() => held.countRequests() > 0);
  const dialogShown = page.waitForEvent('dialog');
  await page.evaluate(() => setTimeout(() => location.assign('/about')));
  const dialog = await dialogShown;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  held.release();
  await waitForToast(page, PAGE_MESSAGES.passwordChanged);
});
