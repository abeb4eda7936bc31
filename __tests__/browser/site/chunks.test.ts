import type { Page } from 'playwright-core';
import { allowError, browserFixture, CHUNK_LOAD_ERROR, pauseClock } from '../../support/browser';
import { nav, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { expectEventually, waitUntil } from '../../support/wait';

const fixture = browserFixture();
const BLOG = '**/assets/blog.*.js';
const WORDS = /^Loading chunk \S+ failed\.$/;
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const asked = (part: string) => fixture.visitor.requests.filter((url) => url.includes(`/assets/${part}.`)).length;

// Clause C.14.1
test('a part that does not load once goes unseen', async () => {
  const { page, visitor } = fixture;
  await page.goto('/about', { waitUntil: 'networkidle' });
  await waitUntilInteractive(page);
  await page.route(BLOG, (route) => route.abort(), { times: 1 });
  await page.evaluate(() => {
    const watch = () => document.body.innerText.includes('Loading chunk') && Object.assign(window, { seen: true });
    new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
  });
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await heading(page, 'BLOG POSTS').waitFor();
  expect([asked('blog'), await page.evaluate(() => 'seen' in window)]).toEqual([2, false]);
  allowError(visitor, CHUNK_LOAD_ERROR);
});

// Clauses A.8.13, C.14.2
test('a part that never loads is told in words with a way on, without a loop, and what was typed is kept', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await page.clock.install();
  await page.goto('/dashboard/addreview');
  const text = page.getByLabel('Description');
  await text.fill('Half a rev');
  let loads = 0;
  page.on('load', () => (loads += 1));
  const part = '**/assets/my-orders.*.js';
  await page.route(part, (route) => route.abort());
  await page.getByRole('link', { name: 'My Order', exact: true }).click();
  await page.getByRole('alert').getByText(WORDS).waitFor();
  const requests = asked('my-orders');
  await page.clock.fastForward(60_000);
  expect([asked('my-orders') - requests, loads]).toEqual([0, 0]);

  await page.getByRole('link', { name: 'Add review' }).click();
  await expectEventually(() => text.inputValue(), 'Half a rev');
  await page.getByRole('link', { name: 'My Order', exact: true }).click();
  await page.getByText(WORDS).waitFor();
  await page.unroute(part);
  const before = asked('my-orders');
  expect(before).toBeGreaterThan(requests);
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'My Orders').waitFor();
  expect([asked('my-orders') - before, loads]).toEqual([1, 0]);
  await page.getByRole('link', { name: 'Add review' }).click();
  await expectEventually(() => text.inputValue(), 'Half a rev');
  allowError(visitor, CHUNK_LOAD_ERROR);
});

// Clauses A.8.13, A.9.9, C.14.2
test('a part that does not answer is given up after 120 seconds', async () => {
  const { page, visitor } = fixture;
  await page.clock.install();
  await page.goto('/about', { waitUntil: 'networkidle' });
  await waitUntilInteractive(page);
  await pauseClock(page);
  await page.route(BLOG, () => undefined);
  const script = page.locator('head script[src*="/blog."]');
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  for (const [pause, next] of [
    [1_000, script],
    [0, page.getByText(WORDS)],
  ] as const) {
    await script.waitFor({ state: 'attached' });
    await page.clock.fastForward(119_000);
    expect([await script.count(), await page.getByText(WORDS).count()]).toEqual([1, 0]);
    await page.clock.fastForward(2_000);
    await script.waitFor({ state: 'detached' });
    await page.clock.fastForward(pause);
    await next.waitFor({ state: 'attached' });
  }
  allowError(visitor, CHUNK_LOAD_ERROR);
});

// Clause C.14.2
test('a part that went with a deploy is told; Try again brings the page of today, and what was typed', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await page.goto('/dashboard/addreview');
  await page.getByLabel('Description').fill('Half a rev');
  const gone = '**/assets/my-orders.*.js';
  let today = false;
  page.on('request', (request) => (today ||= request.isNavigationRequest()));
  await page.route(gone, (route) => (today ? route.continue() : route.fulfill({ status: 404 })));
  await page.getByRole('link', { name: 'My Order', exact: true }).click();
  await page.getByRole('alert').getByText(WORDS).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'My Orders').waitFor();
  await page.getByRole('link', { name: 'Add review' }).click();
  await expectEventually(() => page.getByLabel('Description').inputValue(), 'Half a rev');
  allowError(visitor, CHUNK_LOAD_ERROR);
});

// Clause C.14.2
test('a foot of the page that never loads is told in its place: pages come and go, and Try again brings it', async () => {
  const { page, visitor } = fixture;
  const part = '**/assets/footer.*.js';
  await page.route(part, (route) => route.abort());
  await page.goto('/about');
  await waitUntil(() => asked('footer') === 2);
  expect(await page.locator('footer').count()).toBe(1);
  let loads = 0;
  page.on('load', () => (loads += 1));
  const told = page.getByRole('alert').getByText(WORDS);
  for (const [name, title] of [
    ['Blogs', 'BLOG POSTS'],
    ['Login', 'Login'],
  ] as const) {
    await nav(page).getByRole('link', { name, exact: true }).click();
    await heading(page, title).waitFor();
    await told.waitFor();
    expect(await heading(page, title).isVisible()).toBe(true);
  }
  await page.getByLabel('Email', { exact: true }).fill('half@an.addr');
  await page.unroute(part);
  await page.getByRole('button', { name: 'Try again' }).click();
  await waitUntilInteractive(page);
  await told.waitFor({ state: 'detached' });
  expect([await page.getByLabel('Email', { exact: true }).inputValue(), loads]).toEqual(['half@an.addr', 0]);
  allowError(visitor, CHUNK_LOAD_ERROR);
});

test('numbers that nothing comes to count up to stand there all the same', async () => {
  const { page, visitor } = fixture;
  await page.route('**/assets/counter.*.js', (route) => route.abort());
  await page.goto('/');
  await waitUntilInteractive(page);
  await page.getByText('Annual revenue').scrollIntoViewIfNeeded();
  const failed = () => visitor.errors.filter((trouble) => trouble.includes('ERR_FAILED')).length;
  await waitUntil(() => asked('counter') === 2 && failed() === 2);
  await page.waitForTimeout(300);
  expect(await page.locator('dd').allTextContents()).toEqual(['80+', '110M+', '150+', '59K+']);
  expect(await page.getByRole('alert').count()).toBe(0);
  allowError(visitor, CHUNK_LOAD_ERROR);
});
