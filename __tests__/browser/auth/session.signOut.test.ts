import type { Page } from 'playwright-core';
import { callShop, shopOrigin } from '../../support/api';
import { allowError, browserFixture, NETWORK_ERROR, storedToken } from '../../support/browser';
import { waitUntilSignedIn, signInAsNewUser, signOut } from '../../support/session';

const fixture = browserFixture();

const fetchStatus = async (email: string, token: string) =>
  (await callShop(shopOrigin(), `/admin/${encodeURIComponent(email)}`, { token })).status;
const waitForSessionDelete = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'DELETE' && /\/session$/.test(response.url()));

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
