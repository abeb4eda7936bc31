import type { Intent } from '../../../src/contract/entities';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import {
  allowError,
  browserFixture,
  dispatchWindowFocus,
  holdRequests,
  NETWORK_ERROR,
  storedToken,
} from '../../support/browser';
import {
  endSessions,
  waitForPath,
  waitUntilSignedIn,
  waitUntilSignedOut,
  logIn,
  nav,
  pathOf,
  signInAsNewUser,
  signOut,
  signUp,
} from '../../support/session';
import { insertUnpricedOrders, payWithCard, placeOrder } from '../../support/checkout';
import { newEmail, PASSWORD } from '../../support/customers';
import { expectEventually, waitUntil } from '../../support/wait';
import { watchRedux } from './watchRedux';
import { CARDS } from '../../support/cards';

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

test('signing out deletes unsaved form drafts', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto('/');
  await page.evaluate(() => sessionStorage.setItem('draft:purchase', 'my address'));
  await signOut(page);
  await expectEventually(() => page.evaluate(() => sessionStorage.getItem('draft:purchase')), null);
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

// Clause C.11.1
test('a renewal that fails temporarily does not sign the user out', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.route('**/user/*', (route) => route.fulfill({ status: 503, body: '' }));
  await page.evaluate(() => localStorage.setItem('accessToken', 'too.old.token'));
  const failedRenewal = page.waitForResponse(
    (response) => response.url().includes('/user/') && response.status() === 503,
  );
  await page.goto('/dashboard/myorder');
  await failedRenewal;
  await page.waitForTimeout(300);
  await waitUntilSignedIn(page);
  expect(pathOf(page)).toBe('/dashboard/myorder');
  await page.unroute('**/user/*');
  await page.waitForFunction(() => localStorage.getItem('accessToken') !== 'too.old.token');
});

test('a visit without an access token starts signed out if the shop cannot issue one, and the next visit resumes the session', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.evaluate(() => localStorage.removeItem('accessToken'));
  await page.route('**/user/*', (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto('/dashboard/myorder');
  await waitForPath(page, '/login');
  await page.unroute('**/user/*');
  await page.goto('/blogs');
  await waitUntilSignedIn(page);
});

// Clause C.11.1
test('a sign-in chunk that fails to load once does not sign the user out', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await page.route('**/assets/firebase.*.js', (route) => route.abort(), { times: 1 });
  await page.goto('/dashboard/myorder');
  await waitUntilSignedIn(page);
  expect([pathOf(page), await page.getByRole('alert').count()]).toEqual(['/dashboard/myorder', 0]);
  allowError(visitor, NETWORK_ERROR);
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

test('a session that ends in one tab also ends in another tab, which says that it has ended', async () => {
  const { page, visitor } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard/myorder');
  const other = await visitor.context.newPage();
  await other.goto('/blogs');
  for (const tab of [page, other]) await waitUntilSignedIn(tab);
  await endSessions(email);
  await dispatchWindowFocus(page);
  await waitUntilSignedOut(other);
  await other.getByRole('alert').filter({ hasText: APP_MESSAGES.sessionEnded }).waitFor();
});

test("a visitor downloads the identity provider's script only on the login page", async () => {
  const { page, visitor } = fixture;
  await page.goto('/');
  await waitUntilSignedOut(page);
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await page.waitForLoadState('networkidle');
  expect(visitor.requests.filter((url) => /firebase/.test(url))).toEqual([]);
  await page.goto('/login');
  await waitUntil(() => visitor.requests.some((url) => /firebase/.test(url)));
  await page.waitForLoadState('networkidle');
});

// Clauses A.3.8, C.11.5
test('Redux DevTools shows the session without its secrets', async () => {
  const { page, visitor } = fixture;
  const { context } = visitor;
  await context.addInitScript(watchRedux);
  const email = newEmail();
  await signUp(page, email);
  const order = await placeOrder(page);
  const intentResponse = page.waitForResponse(/create-payment-intent/);
  await page.goto(`/dashboard/payment/${order._id}`);
  const { clientSecret } = (await (await intentResponse).json()) as Intent;
  await payWithCard(page, CARDS.pays);
  await page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  const log = await page.evaluate(() => (window as unknown as { reduxLog: string[] }).reduxLog.join('\n'));
  for (const value of ['auth/signedIn', '"status":"signedIn"', email, 'Ann Lee']) expect(log).toContain(value);
  const secrets = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('firebase:authUser:'))!;
    const { stsTokenManager } = JSON.parse(localStorage.getItem(key)!) as { stsTokenManager: Record<string, string> };
    return [localStorage.getItem('accessToken')!, stsTokenManager['accessToken']!, stsTokenManager['refreshToken']!];
  });
  for (const secret of [...secrets, clientSecret, '_secret_', PASSWORD, 'Bearer']) expect(log).not.toContain(secret);
});
