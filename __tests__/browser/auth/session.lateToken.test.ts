import type { Page } from 'playwright-core';
import { browserFixture, storedToken } from '../../support/browser';
import { isIn, isOut, signInAsNewUser, signOut, waitUntilInteractive } from '../../support/session';
import { waitUntil } from '../../support/wait';

const fixture = browserFixture();
const PROOF = '**/user/*';
const ID_TOKEN = '**/v1/token?*';

/** These calls are answered at once, and the answers reach the page when they are let go. */
async function holdAnswers(page: Page, calls: string, method: string) {
  let letGo = () => {};
  let held = 0;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(calls, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    held += 1;
    await gate;
    // The page may have given up the call.
    await route.fulfill({ response }).catch(() => undefined);
  });
  return { letGo, held: () => held };
}

/** Resolves once the shop has answered every PUT /user that this page has sent, and the page had time to read it. */
function watchProofs(page: Page) {
  let [sent, ended] = [0, 0];
  const isProof = (method: string, url: string) => method === 'PUT' && url.includes('/user/');
  const count = (request: { method(): string; url(): string }) => Number(isProof(request.method(), request.url()));
  page.on('request', (request) => void (sent += count(request)));
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => void (ended += count(request)));
  return async () => {
    await waitUntil(() => sent > 0 && sent === ended);
    await page.waitForTimeout(500);
  };
}

async function isSignedOutForGood(page: Page) {
  expect(await storedToken(page)).toBeNull();
  await isOut(page);
  await page.reload();
  await waitUntilInteractive(page);
  await isOut(page);
  const kept = await page.evaluate(() => Object.keys(localStorage));
  expect(kept.filter((key) => /^(accessToken|firebase:authUser)/.test(key))).toEqual([]);
}

test.each([
  ['the shop', PROOF, 'PUT'],
  ['the identity provider', ID_TOKEN, 'POST'],
])('signing out holds when %s answers a renewal late', async (_who, calls, method) => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const slow = await holdAnswers(page, calls, method);
  const answered = watchProofs(page);
  await page.evaluate(() => localStorage.setItem('accessToken', 'too.old.token'));
  await page.goto('/dashboard/myorder');
  await isIn(page);
  await waitUntil(() => slow.held() > 0);
  await signOut(page);
  slow.letGo();
  await answered();
  await isSignedOutForGood(page);
});

test('signing out in one tab holds when a renewal of another tab is answered late', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  const other = await visitor.context.newPage();
  await other.goto('/blogs');
  await isIn(other);
  const slow = await holdAnswers(page, PROOF, 'PUT');
  const answered = watchProofs(page);
  await page.goto('/blogs');
  await isIn(page);
  await page.evaluate(() => localStorage.setItem('accessToken', 'too.old.token'));
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await waitUntil(() => slow.held() > 0);
  await signOut(other);
  await isOut(page);
  slow.letGo();
  await answered();
  await isSignedOutForGood(page);
  expect(await storedToken(other)).toBeNull();
});
