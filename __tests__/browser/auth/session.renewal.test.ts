import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { browserFixture, dispatchWindowFocus, holdRequests, storedToken } from '../../support/browser';
import {
  endSessions,
  waitForPath,
  waitUntilSignedIn,
  waitUntilSignedOut,
  logIn,
  pathOf,
  signInAsNewUser,
  signOut,
  signUp,
} from '../../support/session';
import { insertUnpricedOrders } from '../../support/checkout';
import { newEmail } from '../../support/customers';
import { expectEventually } from '../../support/wait';

const fixture = browserFixture();
const pathIn = (url: string) => new URL(url).pathname;

// Clause C.11.6
test('signing in and signing out in one tab also take effect in another tab', async () => {
  const { page, visitor } = fixture;
  const email = newEmail();
  const other = await visitor.context.newPage();
  await other.goto('/blogs');
  await waitUntilSignedOut(other);
  await signUp(page, email);
  await waitUntilSignedIn(other);
  await other.goto('/dashboard');
  await waitUntilSignedIn(other);
  await signOut(page);
  await waitUntilSignedOut(other);
  await waitForPath(other, '/login');
  await expectEventually(() => storedToken(other), null);
  await logIn(other, email);
  await waitUntilSignedIn(other);
  await waitUntilSignedIn(page);
});

// Clause C.11.1
test('an expired token is renewed only once for all requests in progress, and the page stays open', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await insertUnpricedOrders(email, 1);
  const renewal = await holdRequests(page, '**/user/*', 'PUT');
  const unauthorized: string[] = [];
  page.on('response', (response) => void (response.status() === 401 && unauthorized.push(pathIn(response.url()))));
  await page.evaluate(() => localStorage.setItem('accessToken', 'too.old.token'));
  await page.goto('/dashboard/myorder');
  await expectEventually(() => unauthorized.toSorted(), [`/admin/${encodeURIComponent(email)}`, '/order']);
  await page.waitForTimeout(500);
  expect(renewal.countRequests()).toBe(1);
  renewal.release();
  await page.getByRole('cell', { name: 'Hammer 1' }).waitFor();
  await waitUntilSignedIn(page);
  expect([renewal.countRequests(), pathOf(page)]).toEqual([1, '/dashboard/myorder']);
});

// Clauses A.4.3, C.11.3
test('a session that cannot be renewed ends with a notice, and logging in returns to the page that was open', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard/myorder');
  await waitUntilSignedIn(page);
  await page.evaluate(() => sessionStorage.setItem('draft:purchase', 'my address'));
  await endSessions(email);
  await dispatchWindowFocus(page);
  const notice = page.getByRole('alert').filter({ hasText: APP_MESSAGES.sessionEnded });
  await notice.waitFor();
  expect(await notice.count()).toBe(1);
  await waitForPath(page, '/login');
  expect(await storedToken(page)).toBeNull();
  await logIn(page, email);
  await waitForPath(page, '/dashboard/myorder');
  expect(await page.evaluate(() => sessionStorage.getItem('draft:purchase'))).toBe('my address');
});
