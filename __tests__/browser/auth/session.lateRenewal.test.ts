import type { Page } from 'playwright-core';
import { browserFixture, storedToken } from '../../support/browser';
import {
  waitUntilSignedIn,
  waitUntilSignedOut,
  signInAsNewUser,
  signOut,
  waitUntilInteractive,
} from '../../support/session';
import { waitUntil } from '../../support/wait';

const fixture = browserFixture();
const TOKEN_EXCHANGE = '**/user/*';

/** Forwards matching requests immediately, and holds their responses until `release` is called. */
async function holdResponses(page: Page, calls: string, method: string) {
  let release = () => {};
  let heldCount = 0;
  const gate = new Promise<void>((resolve) => (release = resolve));
  await page.route(calls, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    heldCount += 1;
    await gate;
    // The page may have aborted the call.
    await route.fulfill({ response }).catch(() => undefined);
  });
  return { release, countHeld: () => heldCount };
}

/**
 * Counts the page's PUT /user requests.
 * @returns a function that waits until all of them have ended and the page has had time to read the responses
 */
function watchTokenExchanges(page: Page) {
  let [sent, ended] = [0, 0];
  const isTokenExchange = (method: string, url: string) => method === 'PUT' && url.includes('/user/');
  const count = (request: { method(): string; url(): string }) =>
    Number(isTokenExchange(request.method(), request.url()));
  page.on('request', (request) => void (sent += count(request)));
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => void (ended += count(request)));
  return async () => {
    await waitUntil(() => sent > 0 && sent === ended);
    await page.waitForTimeout(500);
  };
}

async function expectStaysSignedOut(page: Page) {
  expect(await storedToken(page)).toBeNull();
  await waitUntilSignedOut(page);
  await page.reload();
  await waitUntilInteractive(page);
  await waitUntilSignedOut(page);
  const storedKeys = await page.evaluate(() => Object.keys(localStorage));
  expect(storedKeys.filter((key) => /^(accessToken|firebase:authUser)/.test(key))).toEqual([]);
}

test('signing out in one tab also takes effect in another tab that is still waiting for a new token', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  const other = await visitor.context.newPage();
  await other.goto('/blogs');
  await waitUntilSignedIn(other);
  const slow = await holdResponses(page, TOKEN_EXCHANGE, 'PUT');
  const waitForResponses = watchTokenExchanges(page);
  await page.goto('/blogs');
  await waitUntilSignedIn(page);
  await page.evaluate(() => localStorage.setItem('accessToken', 'too.old.token'));
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await waitUntil(() => slow.countHeld() > 0);
  await signOut(other);
  await waitUntilSignedOut(page);
  slow.release();
  await waitForResponses();
  await expectStaysSignedOut(page);
  expect(await storedToken(other)).toBeNull();
});
