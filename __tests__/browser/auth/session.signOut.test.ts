import type { Page } from 'playwright-core';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { createAccessTokens } from '../../../server/auth/accessTokens';
import { callShop, shopOrigin } from '../../support/api';
import { allowError, browserFixture, newVisitor, NETWORK_ERROR, PHONE, storedToken } from '../../support/browser';
import { query } from '../../support/database';
import {
  waitForPath,
  waitUntilSignedIn,
  waitUntilSignedOut,
  pathOf,
  signInAsDemoUser,
  signInAsNewUser,
  signOut,
} from '../../support/session';

const MINUTE_MS = 60_000;
const fixture = browserFixture();

const fetchStatus = async (email: string, token: string) =>
  (await callShop(shopOrigin(), `/admin/${encodeURIComponent(email)}`, { token })).status;
const waitForSessionDelete = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'DELETE' && /\/session$/.test(response.url()));

async function issueOldToken(email: string, ageMinutes: number): Promise<string> {
  const [secret] = await query<{ value: string }>(`select value from secrets where name = 'access-token'`);
  const [user] = await query<{ id: string }>('select id from users where email = $1', [email]);
  return createAccessTokens(secret!.value, () => new Date(Date.now() - ageMinutes * MINUTE_MS)).issue(user!.id);
}
const storeToken = (page: Page, token: string) =>
  page.evaluate((value) => void (localStorage['accessToken'] = value), token);

// Clause C.11.6
test('signing out ends the session on the server', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const token = String(await storedToken(page));
  await page.goto('/');
  await waitUntilSignedIn(page);
  expect(await fetchStatus(email, token)).toBe(200);
  const deleted = waitForSessionDelete(page);
  await signOut(page);
  expect((await deleted).status()).toBe(204);
  expect(await fetchStatus(email, token)).toBe(401);
});

test('signing out with an expired token sends a DELETE /session that the server accepts', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/blogs');
  await waitUntilSignedIn(page);
  await storeToken(page, await issueOldToken(email, 90));
  const deleted = waitForSessionDelete(page);
  await signOut(page);
  expect((await deleted).status()).toBe(204);
  expect(await storedToken(page)).toBeNull();
});

// Clause C.11.6
test('signing out offline ends the session in the browser immediately and shows no error', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await page.goto('/blogs');
  await waitUntilSignedIn(page);
  await page.waitForLoadState('networkidle');
  await visitor.context.setOffline(true);
  await signOut(page);
  expect(await storedToken(page)).toBeNull();
  await page.waitForTimeout(300);
  expect(await page.getByRole('alert').count()).toBe(0);
  await visitor.context.setOffline(false);
  allowError(visitor, NETWORK_ERROR);
});

test('signing out does not wait for a slow server, and shows no error if the server fails', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto('/blogs');
  await waitUntilSignedIn(page);
  let requestCount = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/session', async (route) => {
    requestCount += 1;
    await gate;
    await route.fulfill({ status: 500, body: '' });
  });
  await signOut(page);
  expect([await storedToken(page), requestCount]).toEqual([null, 1]);
  release();
  await page.waitForTimeout(300);
  expect(await page.getByRole('alert').count()).toBe(0);
});

// Clause C.11.2
test('an admin can keep using the shop without a notice after the ten-minute token has expired', async () => {
  const { page } = fixture;
  await signInAsDemoUser(page, 'admin');
  const oldToken = await issueOldToken('admin@forgeline.example', 12);
  await page.goto('/blogs');
  await storeToken(page, oldToken);
  await page.goto('/dashboard/allusers');
  await page.getByRole('table', { name: 'All Users' }).waitFor();
  expect([pathOf(page), await page.getByText(APP_MESSAGES.sessionEnded).count()]).toEqual(['/dashboard/allusers', 0]);
  expect(await storedToken(page)).not.toBe(oldToken);
});

test('signing out in one tab signs out another tab, which does not say that the session has ended', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  const other = await visitor.context.newPage();
  await other.goto('/dashboard/myorder');
  await waitUntilSignedIn(other);
  await page.goto('/blogs');
  await waitUntilSignedIn(page);
  await signOut(page);
  await waitUntilSignedOut(other);
  await waitForPath(other, '/login');
  expect(await other.getByText(APP_MESSAGES.sessionEnded).count()).toBe(0);
});

test('All Users shows on a phone that an email is not verified', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const admin = await newVisitor(fixture.browser, shopOrigin(), PHONE);
  await signInAsDemoUser(admin.page, 'admin');
  await admin.page.goto('/dashboard/allusers');
  await admin.page.getByLabel('Find by email').fill(email);
  await admin.page.getByText(/^1 of \d+ users$/).waitFor();
  await admin.page.getByRole('row', { name: email }).getByText('Not verified', { exact: true }).waitFor();
  await admin.context.close();
});
