import type { Page } from 'playwright-core';
import { browserFixture, NETWORK_ERROR, pauseClock } from '../../support/browser';
import { nav, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { expectEventually, waitUntil } from '../../support/wait';

const CHUNK_LOAD_ERROR = /^ChunkLoadError: Loading chunk \d+ failed|net::ERR_FAILED/;
const fixture = browserFixture();
const BLOG_CHUNK = '**/assets/blog.*.js';
const CHUNK_FAILED = /^Loading chunk \S+ failed\.$/;
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const countRequests = (chunk: string) =>
  fixture.visitor.requests.filter((url) => url.includes(`/assets/${chunk}.`)).length;

// Clause C.14.1
test('a chunk that fails once is retried without a visible error', async () => {
  const { page, visitor } = fixture;
  await page.goto('/about', { waitUntil: 'networkidle' });
  await waitUntilInteractive(page);
  await page.route(BLOG_CHUNK, (route) => route.abort(), { times: 1 });
  await page.evaluate(() => {
    const checkForError = () =>
      document.body.innerText.includes('Loading chunk') && Object.assign(window, { hasShownError: true });
    new MutationObserver(checkForError).observe(document.body, { childList: true, subtree: true });
  });
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await heading(page, 'BLOG POSTS').waitFor();
  expect([countRequests('blog'), await page.evaluate(() => 'hasShownError' in window)]).toEqual([2, false]);
  visitor.allowedErrors.push(CHUNK_LOAD_ERROR);
});

// Clauses A.8.13, C.14.2
test('a page whose chunk never loads shows an error with Try again, does not retry in a loop, and keeps drafts', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await page.clock.install();
  await page.goto('/dashboard/addreview');
  const text = page.getByLabel('Description');
  await text.fill('Half a rev');
  let loads = 0;
  page.on('load', () => (loads += 1));
  const chunk = '**/assets/my-orders.*.js';
  await page.route(chunk, (route) => route.abort());
  await page.getByRole('link', { name: 'My Order', exact: true }).click();
  await page.getByRole('alert').getByText(CHUNK_FAILED).waitFor();
  const firstRequests = countRequests('my-orders');
  await page.clock.fastForward(60_000);
  expect([countRequests('my-orders') - firstRequests, loads]).toEqual([0, 0]);

  await page.getByRole('link', { name: 'Add review' }).click();
  await expectEventually(() => text.inputValue(), 'Half a rev');
  await page.getByRole('link', { name: 'My Order', exact: true }).click();
  await page.getByText(CHUNK_FAILED).waitFor();
  await page.unroute(chunk);
  const requestsBefore = countRequests('my-orders');
  expect(requestsBefore).toBeGreaterThan(firstRequests);
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'My Orders').waitFor();
  expect([countRequests('my-orders') - requestsBefore, loads]).toEqual([1, 0]);
  await page.getByRole('link', { name: 'Add review' }).click();
  await expectEventually(() => text.inputValue(), 'Half a rev');
  visitor.allowedErrors.push(CHUNK_LOAD_ERROR);
});

test('a page that fails to load offline shows that you are offline, and loads by itself once online', async () => {
  const { page, visitor } = fixture;
  await page.goto('/about', { waitUntil: 'networkidle' });
  await waitUntilInteractive(page);
  const offline = page.getByRole('status').getByText("You're offline.", { exact: false });
  await visitor.context.setOffline(true);
  await offline.waitFor();
  await page.route(BLOG_CHUNK, (route) => route.abort('internetdisconnected'));
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await page.getByText(CHUNK_FAILED).waitFor();
  await page.getByText("You're offline. This page needs a connection to load.", { exact: true }).waitFor();
  await page.unroute(BLOG_CHUNK);
  await visitor.context.setOffline(false);
  await heading(page, 'BLOG POSTS').waitFor();
  await offline.waitFor({ state: 'detached' });
  visitor.allowedErrors.push(CHUNK_LOAD_ERROR);
  visitor.allowedErrors.push(NETWORK_ERROR);
});

// Clauses A.8.13, A.9.9, C.14.1, C.14.2
test.each([
  ['the first request', 0],
  ['the second request', 1],
])('a chunk has 120 seconds in all, also if there is no response to %s', async (_which, failures) => {
  const { page, visitor } = fixture;
  await page.clock.install();
  await page.goto('/about', { waitUntil: 'networkidle' });
  await waitUntilInteractive(page);
  await pauseClock(page);
  let requests = 0;
  await page.route(BLOG_CHUNK, (route) => (requests++ < failures ? route.abort() : undefined));
  const script = page.locator('head script[src*="/blog."]');
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await waitUntil(() => requests === 1);
  if (failures === 1) {
    await script.waitFor({ state: 'detached' });
    await page.clock.fastForward(1_000);
    await waitUntil(() => requests === 2);
  }
  await page.clock.fastForward(118_000);
  expect([requests, await page.getByText(CHUNK_FAILED).count()]).toEqual([failures + 1, 0]);
  await page.clock.fastForward(2_000);
  // React may delay what it shows by a timer, which a stopped clock would never reach.
  await page.clock.resume();
  await page.getByText(CHUNK_FAILED).waitFor();
  await page.getByText('Check your connection and try again.', { exact: true }).waitFor();
  expect(requests).toBe(failures + 1);
  visitor.allowedErrors.push(CHUNK_LOAD_ERROR);
});

// Clause C.14.2
test('a page whose chunk was removed by a deploy shows an error, and Try again loads the new version and keeps the draft', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await page.goto('/dashboard/addreview');
  await page.getByLabel('Description').fill('Half a rev');
  const removedChunk = '**/assets/my-orders.*.js';
  let hasReloaded = false;
  page.on('request', (request) => (hasReloaded ||= request.isNavigationRequest()));
  await page.route(removedChunk, (route) => (hasReloaded ? route.continue() : route.fulfill({ status: 404 })));
  await page.getByRole('link', { name: 'My Order', exact: true }).click();
  await page.getByRole('alert').getByText(CHUNK_FAILED).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'My Orders').waitFor();
  await page.getByRole('link', { name: 'Add review' }).click();
  await expectEventually(() => page.getByLabel('Description').inputValue(), 'Half a rev');
  visitor.allowedErrors.push(CHUNK_LOAD_ERROR);
});
