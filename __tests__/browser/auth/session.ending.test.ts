import type { Page } from 'playwright-core';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { accessTokens } from '../../../server/auth/accessTokens';
import { callShop, shopOrigin } from '../../support/api';
import { allowError, browserFixture, newVisitor, NO_ANSWER, PHONE, storedToken } from '../../support/browser';
import { query } from '../../support/database';
import { isAt, isIn, isOut, pathOf, signInAsDemoUser, signInAsNewUser, signOut } from '../../support/session';

const MINUTE = 60_000;
const fixture = browserFixture();

const statusOf = async (email: string, token: string) =>
  (await callShop(shopOrigin(), `/admin/${encodeURIComponent(email)}`, { token })).status;
const ending = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'DELETE' && /\/session$/.test(response.url()));

/** The token of a session that has gone on for so long. */
async function agedToken(email: string, minutes: number): Promise<string> {
  const [secret] = await query<{ value: string }>(`select value from secrets where name = 'access-token'`);
  const [person] = await query<{ id: string }>('select id from users where email = $1', [email]);
  return accessTokens(secret!.value, () => new Date(Date.now() - minutes * MINUTE)).issue(person!.id);
}
const keepToken = (page: Page, token: string) =>
  page.evaluate((aged) => void (localStorage['accessToken'] = aged), token);

// Clause C.11.6
test('signing out ends the session on the server', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const token = String(await storedToken(page));
  await page.goto('/');
  await isIn(page);
  expect(await statusOf(email, token)).toBe(200);
  const ended = ending(page);
  await signOut(page);
  expect((await ended).status()).toBe(204);
  expect(await statusOf(email, token)).toBe(401);
});

test('a session whose token is too old is ended on the server, too', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/blogs');
  await isIn(page);
  await keepToken(page, await agedToken(email, 90));
  const ended = ending(page);
  await signOut(page);
  expect((await ended).status()).toBe(204);
  expect(await storedToken(page)).toBeNull();
});

// Clause C.11.6
test('without a network one is signed out here at once, without a complaint', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await page.goto('/blogs');
  await isIn(page);
  await page.waitForLoadState('networkidle');
  await visitor.context.setOffline(true);
  await signOut(page);
  expect(await storedToken(page)).toBeNull();
  await page.waitForTimeout(300);
  expect(await page.getByRole('alert').count()).toBe(0);
  await visitor.context.setOffline(false);
  allowError(visitor, NO_ANSWER);
});

test('nobody waits for a shop that is slow to end the session, nor hears that it failed', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto('/blogs');
  await isIn(page);
  let asked = 0;
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/session', async (route) => {
    asked += 1;
    await gate;
    await route.fulfill({ status: 500, body: '' });
  });
  await signOut(page);
  expect([await storedToken(page), asked]).toEqual([null, 1]);
  letGo();
  await page.waitForTimeout(300);
  expect(await page.getByRole('alert').count()).toBe(0);
});

// Clause C.11.2
test('an admin whose ten minutes are over goes on without a word', async () => {
  const { page } = fixture;
  await signInAsDemoUser(page, 'admin');
  const aged = await agedToken('admin@forgeline.example', 12);
  await page.goto('/blogs');
  await keepToken(page, aged);
  await page.goto('/dashboard/allusers');
  await page.getByRole('table', { name: 'All Users' }).waitFor();
  expect([pathOf(page), await page.getByText(APP_MESSAGES.sessionEnded).count()]).toEqual(['/dashboard/allusers', 0]);
  expect(await storedToken(page)).not.toBe(aged);
});

test('signing out in one tab leaves another tab signed out without a notice', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  const other = await visitor.context.newPage();
  await other.goto('/dashboard/myorder');
  await isIn(other);
  await page.goto('/blogs');
  await isIn(page);
  await signOut(page);
  await isOut(other);
  await isAt(other, '/login');
  expect(await other.getByText(APP_MESSAGES.sessionEnded).count()).toBe(0);
});

test('an email that nobody verified is marked on a phone, too', async () => {
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
