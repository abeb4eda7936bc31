import { WORDS } from '../../src/contract/messages';
import { comeNew, newEmail, PASSWORD } from '../support/account';
import { comesToBe } from '../support/comesToBe';
import { watchRedux } from '../support/reduxWatch';
import { isAt, isIn, isOut, logIn, nav, pathOf, signOut, signUp } from '../support/session';
import { eachWithAVisitor } from '../support/stage';
import { until } from '../support/shopper';
import { storedToken } from '../support/visitor';

const stage = eachWithAVisitor();

test('signing out is for every tab, at once, and so is coming in', async () => {
  const { page, visitor } = stage;
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
  await comesToBe(() => storedToken(other), null);
});

test('drafts of one person are not for the next', async () => {
  const { page } = stage;
  await comeNew(page);
  await page.goto('/');
  await page.evaluate(() => sessionStorage.setItem('draft:purchase', 'my address'));
  await signOut(page);
  await comesToBe(() => page.evaluate(() => sessionStorage.getItem('draft:purchase')), null);
});

test('a token that is too old is renewed without a word, once for all calls in flight', async () => {
  const { page, visitor } = stage;
  await comeNew(page);
  await page.evaluate(() => localStorage.setItem('accessToken', 'too.old.token'));
  const proofs = () => visitor.requests.filter((url) => url.includes('/user/')).length;
  const before = proofs();
  await page.goto('/dashboard/myorder');
  await page.waitForFunction(() => localStorage.getItem('accessToken') !== 'too.old.token');
  await isIn(page);
  await page.waitForLoadState('networkidle');
  expect(proofs() - before).toBe(1);
  expect(pathOf(page)).toBe('/dashboard/myorder');
});

test('a renewal that fails for a moment signs nobody out', async () => {
  const { page } = stage;
  await comeNew(page);
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

test('a sign-in part that does not come once on a reload signs nobody out', async () => {
  const { page, visitor } = stage;
  await comeNew(page);
  await page.route('**/assets/firebase.*.js', (route) => route.abort(), { times: 1 });
  await page.goto('/dashboard/myorder');
  await isIn(page);
  expect([pathOf(page), await page.getByRole('alert').count()]).toEqual(['/dashboard/myorder', 0]);
  visitor.troubles.length = 0;
});

test('a session that cannot be renewed ends with a notice, and one comes back to the same page after login', async () => {
  const { page } = stage;
  const email = await comeNew(page);
  await page.goto('/dashboard/myorder');
  await isIn(page);
  await page.evaluate(() => sessionStorage.setItem('draft:purchase', 'my address'));
  await page.route('**/user/*', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      body: '{"status":401,"code":"token_invalid","detail":"x"}',
    }),
  );
  await page.evaluate(() => {
    localStorage.setItem('accessToken', 'too.old.token');
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const notice = page.getByRole('alert').filter({ hasText: WORDS.sessionEnded });
  await notice.waitFor();
  expect(await notice.count()).toBe(1);
  await isAt(page, '/login');
  expect(await storedToken(page)).toBeNull();
  await page.unroute('**/user/*');
  await logIn(page, email);
  await isAt(page, '/dashboard/myorder');
  expect(await page.evaluate(() => sessionStorage.getItem('draft:purchase'))).toBe('my address');
});

test('a visitor downloads nothing of the identity provider', async () => {
  const { page, visitor } = stage;
  await page.goto('/');
  await isOut(page);
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await page.waitForLoadState('networkidle');
  expect(visitor.requests.filter((url) => /firebase/.test(url))).toEqual([]);
  await page.goto('/login');
  await until(() => visitor.requests.some((url) => /firebase/.test(url)));
  await page.waitForLoadState('networkidle');
});

test('Redux tells of the session and of no secret', async () => {
  const { page, visitor } = stage;
  const { context } = visitor;
  await context.addInitScript(watchRedux);
  const email = newEmail();
  await signUp(page, email);
  await page.goto('/dashboard');
  await isIn(page);
  await page.waitForLoadState('networkidle');
  const told = await page.evaluate(() => (window as unknown as { told: string[] }).told.join('\n'));
  for (const known of ['auth/signedIn', '"status":"signedIn"', email, 'Ann Lee']) expect(told).toContain(known);
  const secrets = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('firebase:authUser:'))!;
    const { stsTokenManager } = JSON.parse(localStorage.getItem(key)!) as { stsTokenManager: Record<string, string> };
    return [localStorage.getItem('accessToken')!, stsTokenManager['accessToken']!, stsTokenManager['refreshToken']!];
  });
  for (const secret of [...secrets, PASSWORD, 'Bearer']) expect(told).not.toContain(secret);
});
