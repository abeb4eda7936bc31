import type { Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../../src/contract/demo';
import { shopOrigin } from './api';
import { fill } from './browser';
import { exchangeIdToken, newAccount, newEmail, PASSWORD, signInToAccount } from './customers';
import { query } from './database';

export const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' });
export const mainButton = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });
/** Waits until the page is hydrated. Before that, a link loads a whole page and React does not notice input. */
export const waitUntilInteractive = (page: Page, timeout?: number) =>
  page.locator('footer [type=submit]:enabled').waitFor({ timeout });
export const waitUntilSignedIn = (page: Page, name = 'Ann Lee') => nav(page).getByText(name, { exact: true }).waitFor();
export const waitUntilSignedOut = (page: Page) => nav(page).getByRole('link', { name: 'Login' }).waitFor();
export const waitForPath = (page: Page, path: string) => page.waitForURL((url) => url.pathname + url.search === path);

export async function signUp(page: Page, email: string, name = 'Ann Lee') {
  await page.goto('/signup');
  await fill(page, { Name: name, Email: email, Password: PASSWORD });
  await mainButton(page, 'Sign up').click();
  await waitUntilSignedIn(page, name);
}

export async function logIn(page: Page, email: string, password = PASSWORD) {
  // The sign-up page has an email field too, and can still be shown after Log in was clicked on it.
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor();
  await fill(page, { Email: email, Password: password });
  await mainButton(page, 'Log in').click();
}

export async function signOut(page: Page) {
  await nav(page).getByRole('button', { name: 'Sign out' }).click();
  await waitUntilSignedOut(page);
}

/** Stores what a login stores in the browser, so that the next page is signed in. */
async function storeSession(
  page: Page,
  email: string,
  account: Awaited<ReturnType<typeof newAccount>>,
  origin: string,
): Promise<void> {
  const { localId: uid, idToken, refreshToken, expiresIn } = account;
  const accessToken = await exchangeIdToken(email, account, origin);
  const expirationTime = Date.now() + Number(expiresIn) * 1000;
  const user = {
    uid,
    email,
    emailVerified: false,
    isAnonymous: false,
    stsTokenManager: { refreshToken, accessToken: idToken, expirationTime },
  };
  const entries = { accessToken, 'firebase:authUser:forgeline:[DEFAULT]': JSON.stringify(user) };
  await page.goto(`${origin}/robots.txt`);
  await page.evaluate((items) => Object.assign(localStorage, items), entries);
}

export async function signInAsNewUser(page: Page, email = newEmail()): Promise<string> {
  await storeSession(page, email, await newAccount(email), shopOrigin());
  return email;
}

export async function signInAs(page: Page, email: string, password = PASSWORD, origin = shopOrigin()): Promise<void> {
  await storeSession(page, email, await signInToAccount(email, password, origin), origin);
}

/** Signs in as one of the demo's two accounts. */
export const signInAsDemoUser = (page: Page, role: 'customer' | 'admin', origin?: string) =>
  signInAs(page, `${role}@forgeline.example`, DEMO_PASSWORD, origin);

/** Ends sessions as the operator does. Afterwards neither the shop's nor the provider's tokens are accepted. */
export async function endSessions(email: string): Promise<void> {
  await query('update users set sessions_valid_from = now() where email = $1', [email]);
  await query(
    `update embedded_identity.refresh_tokens t set revoked_at = now() from embedded_identity.accounts a
     where a.local_id = t.local_id and email = $1`,
    [email],
  );
}
