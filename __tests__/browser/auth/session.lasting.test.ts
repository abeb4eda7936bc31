import type { Intent } from '../../../src/contract/entities';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { allowError, browserFixture, focusWindow, holdRequests, NO_ANSWER, storedToken } from '../../support/browser';
import {
  endSessions,
  isAt,
  isIn,
  isOut,
  logIn,
  nav,
  pathOf,
  signInAsNewUser,
  signOut,
  signUp,
} from '../../support/session';
import { giveOrders, payWith, placeOrder } from '../../support/checkout';
import { newEmail, PASSWORD } from '../../support/customers';
import { expectEventually, waitUntil } from '../../support/wait';
import { watchRedux } from './watchRedux';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const pathIn = (url: string) => new URL(url).pathname;

// Clause C.11.6
test('signing out is for every tab, at once, and so is coming in', async () => {
  const { page, visitor } = fixture;
  const email = newEmail();
  const other = await visitor.context.newPage();
  await other.goto('/blogs');
  await isOut(other);
  await signUp(page, email);
  await isIn(other);
  await other.goto('/dashboard');
  await isIn(other);
  await signOut(page);
  await isOut(other);
  await isAt(other, '/login');
  await expectEventually(() => storedToken(other), null);
});

test('drafts of one person are not for the next', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto('/');
  await page.evaluate(() => sessionStorage.setItem('draft:purchase', 'my address'));
  await signOut(page);
  await expectEventually(() => page.evaluate(() => sessionStorage.getItem('draft:purchase')), null);
});

// Clause C.11.1
test('a token that is too old is renewed without a word, once for all calls in flight', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await giveOrders(email, 1);
  const renewal = await holdRequests(page, '**/user/*', 'PUT');
  const refused: string[] = [];
  page.on('response', (response) => void (response.status() === 401 && refused.push(pathIn(response.url()))));
  await page.evaluate(() => localStorage.setItem('accessToken', 'too.old.token'));
  await page.goto('/dashboard/myorder');
  await expectEventually(() => refused.toSorted(), [`/admin/${encodeURIComponent(email)}`, '/order']);
  await page.waitForTimeout(500);
  expect(renewal.asked()).toBe(1);
  renewal.letGo();
  await page.getByRole('cell', { name: 'Hammer 1' }).waitFor();
  await isIn(page);
  expect([renewal.asked(), pathOf(page)]).toEqual([1, '/dashboard/myorder']);
});

// Clause C.11.1
test('a renewal that fails for a moment signs nobody out', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.route('**/user/*', (route) => route.fulfill({ status: 503, body: '' }));
  await page.evaluate(() => localStorage.setItem('accessToken', 'too.old.token'));
  const refused = page.waitForResponse((response) => response.url().includes('/user/') && response.status() === 503);
  await page.goto('/dashboard/myorder');
  await refused;
  await page.waitForTimeout(300);
  await isIn(page);
  expect(pathOf(page)).toBe('/dashboard/myorder');
  await page.unroute('**/user/*');
  await page.waitForFunction(() => localStorage.getItem('accessToken') !== 'too.old.token');
});

// Clause C.11.1
test('a sign-in part that does not come once on a reload signs nobody out', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await page.route('**/assets/firebase.*.js', (route) => route.abort(), { times: 1 });
  await page.goto('/dashboard/myorder');
  await isIn(page);
  expect([pathOf(page), await page.getByRole('alert').count()]).toEqual(['/dashboard/myorder', 0]);
  allowError(visitor, NO_ANSWER);
});

// Clauses A.4.3, C.11.3
test('a session that cannot be renewed ends with a notice, and one comes back to the same page after login', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard/myorder');
  await isIn(page);
  await page.evaluate(() => sessionStorage.setItem('draft:purchase', 'my address'));
  await endSessions(email);
  await focusWindow(page);
  const notice = page.getByRole('alert').filter({ hasText: APP_MESSAGES.sessionEnded });
  await notice.waitFor();
  expect(await notice.count()).toBe(1);
  await isAt(page, '/login');
  expect(await storedToken(page)).toBeNull();
  await logIn(page, email);
  await isAt(page, '/dashboard/myorder');
  expect(await page.evaluate(() => sessionStorage.getItem('draft:purchase'))).toBe('my address');
});

test('a visitor downloads nothing of the identity provider', async () => {
  const { page, visitor } = fixture;
  await page.goto('/');
  await isOut(page);
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await page.waitForLoadState('networkidle');
  expect(visitor.requests.filter((url) => /firebase/.test(url))).toEqual([]);
  await page.goto('/login');
  await waitUntil(() => visitor.requests.some((url) => /firebase/.test(url)));
  await page.waitForLoadState('networkidle');
});

// Clauses A.3.8, C.11.5
test('Redux tells of the session and of no secret', async () => {
  const { page, visitor } = fixture;
  const { context } = visitor;
  await context.addInitScript(watchRedux);
  const email = newEmail();
  await signUp(page, email);
  const order = await placeOrder(page);
  const secret = page.waitForResponse(/create-payment-intent/);
  await page.goto(`/dashboard/payment/${order._id}`);
  const { clientSecret } = (await (await secret).json()) as Intent;
  await payWith(page, CARDS.pays);
  await page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  const told = await page.evaluate(() => (window as unknown as { told: string[] }).told.join('\n'));
  for (const known of ['auth/signedIn', '"status":"signedIn"', email, 'Ann Lee']) expect(told).toContain(known);
  const secrets = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('firebase:authUser:'))!;
    const { stsTokenManager } = JSON.parse(localStorage.getItem(key)!) as { stsTokenManager: Record<string, string> };
    return [localStorage.getItem('accessToken')!, stsTokenManager['accessToken']!, stsTokenManager['refreshToken']!];
  });
  for (const secret of [...secrets, clientSecret, '_secret_', PASSWORD, 'Bearer']) expect(told).not.toContain(secret);
});
