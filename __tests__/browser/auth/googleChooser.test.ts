import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findAccessibilityViolations } from '../../support/assertions';
import { connectToBrowser } from '../../support/browser';
import { expectEventually } from '../../support/wait';
import { signInWithGoogle, startIdentity } from '../../support/identity';
import { expectToClose, waitUntilChooserInteractive } from './chooserWindow';

interface ChooserMessage {
  type: string;
  event: string;
  idToken: string;
}

let service: Awaited<ReturnType<typeof startIdentity>>;
let browser: Browser;
let context: BrowserContext;
let shop: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startIdentity(), connectToBrowser()]);
});
afterAll(() => Promise.all([browser.close(), service.stop()]));
afterEach(() => context.close());

const OPENER = `<!doctype html><title>Shop</title><script>
  window.messages = [];
  addEventListener('message', (message) => messages.push(message.data));
</script>`;

async function openShop(options = {}, origin = service.url) {
  context = await browser.newContext(options);
  await context.route('**/opener', (route) => route.fulfill({ contentType: 'text/html', body: OPENER }));
  shop = await context.newPage();
  await shop.goto(`${origin}/opener`);
}

async function openChooser(options = {}, origin = service.url) {
  await openShop(options, origin);
  const popupOpened = shop.waitForEvent('popup');
  await shop.evaluate(
    (url) => void window.open(`${url}/identity/google?event=e%261`, 'chooser', 'width=420,height=700'),
    service.url,
  );
  const popup = await popupOpened;
  await waitUntilChooserInteractive(popup);
  return popup;
}

const readMessages = () => shop.evaluate(() => (window as unknown as { messages: ChooserMessage[] }).messages);

/** Waits, because the message may arrive after the chooser's window has closed. */
async function waitForOnlyMessage() {
  await expectEventually(async () => (await readMessages()).length, 1);
  return (await readMessages())[0];
}

// Clause C.10.4
test('choosing a Google account by keyboard sends the shop a Google credential that signs the user in', async () => {
  const popup = await openChooser();
  await popup.getByText('Local stand-in for Google sign-in — no Google account is used').waitFor();
  await popup.keyboard.press('Tab');
  await expectToClose(popup, () => popup.keyboard.press('Enter'));

  const message = await waitForOnlyMessage();
  expect(message).toMatchObject({ type: 'forgeline:google', event: 'e&1' });
  const { body } = await signInWithGoogle(service.url, message?.idToken ?? '');
  expect(body).toMatchObject({
    email: 'rosa.jansen@forgeline.example',
    displayName: 'Rosa Jansen',
    emailVerified: true,
  });
});

// Clause C.10.4
test('canceling the account chooser sends no account to the shop', async () => {
  const popup = await openChooser();
  await expectToClose(popup, () => popup.getByRole('button', { name: 'Cancel' }).click());
  expect(await readMessages()).toEqual([]);
});

test('choosing an account while offline shows a message, and choosing again works once online', async () => {
  const popup = await openChooser();
  await popup.route('**/identity/google/credential', (route) => route.abort(), { times: 1 });
  await popup.getByRole('button', { name: 'Tom Okafor' }).click();
  await popup.getByRole('alert').getByText("We can't reach the shop. Check your connection and try again.").waitFor();
  await expectToClose(popup, () => popup.getByRole('button', { name: 'Tom Okafor' }).click());
  await waitForOnlyMessage();
});

test('the chooser sends no account to a page of another origin', async () => {
  const popup = await openChooser({}, service.url.replace('127.0.0.1', 'localhost'));
  await expectToClose(popup, () => popup.getByRole('button', { name: 'Rosa Jansen' }).click());
  expect(await readMessages()).toEqual([]);
});

test('the chooser fits into its window and is accessible in both themes', async () => {
  const popup = await openChooser();
  const measureHiddenHeight = () => popup.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(await measureHiddenHeight()).toBeLessThanOrEqual(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await popup.emulateMedia({ colorScheme });
    expect(await findAccessibilityViolations(popup)).toEqual([]);
  }
});
