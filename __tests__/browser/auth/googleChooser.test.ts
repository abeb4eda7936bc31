import { decodeJwt } from 'jose';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityViolations } from '../../support/assertions';
import { expectToClose, openBrowser, waitUntilChooserInteractive } from '../../support/browser';
import { expectEventually } from '../../support/wait';
import { signInWithGoogle, startIdentity } from '../../support/identity';

interface Told {
  type: string;
  event: string;
  idToken: string;
}

let service: Awaited<ReturnType<typeof startIdentity>>;
let browser: Browser;
let context: BrowserContext;
let shop: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startIdentity(), openBrowser()]);
});
afterAll(() => Promise.all([browser.close(), service.stop()]));
afterEach(() => context.close());

const OPENER = `<!doctype html><title>Shop</title><script>
  window.told = [];
  addEventListener('message', (message) => told.push(message.data));
</script>`;

async function openShop(options = {}, origin = service.url) {
  context = await browser.newContext(options);
  await context.route('**/opener', (route) => route.fulfill({ contentType: 'text/html', body: OPENER }));
  shop = await context.newPage();
  await shop.goto(`${origin}/opener`);
}

async function openChooser(options = {}, origin = service.url) {
  await openShop(options, origin);
  const opening = shop.waitForEvent('popup');
  await shop.evaluate(
    (url) => void window.open(`${url}/identity/google?event=e%261`, 'chooser', 'width=420,height=640'),
    service.url,
  );
  const popup = await opening;
  await waitUntilChooserInteractive(popup);
  return popup;
}

const told = () => shop.evaluate(() => (window as unknown as { told: Told[] }).told);

/** A message can come after the window that sent it is gone. */
async function theOnlyOne() {
  await expectEventually(async () => (await told()).length, 1);
  return (await told())[0];
}

// Clause C.10.4
test('an account is chosen by keyboard, and the shop is told who it is', async () => {
  const popup = await openChooser();
  await popup.getByText('Local Google stand-in — no Google account is used').waitFor();
  await popup.keyboard.press('Tab');
  await expectToClose(popup, () => popup.keyboard.press('Enter'));

  const message = await theOnlyOne();
  expect(message).toMatchObject({ type: 'forgeline:google', event: 'e&1' });
  const { body } = await signInWithGoogle(service.url, message?.idToken ?? '');
  expect(body).toMatchObject({
    email: 'rosa.jansen@forgeline.example',
    displayName: 'Rosa Jansen',
    emailVerified: true,
  });
});

test('any name and address can be typed', async () => {
  const popup = await openChooser();
  await popup.getByLabel('Name').fill('Zoë <b>O’Hara</b>');
  await popup.getByLabel('Email').fill('Zoe@Ex.com');
  await expectToClose(popup, () => popup.keyboard.press('Enter'));

  const message = await theOnlyOne();
  expect(decodeJwt(message?.idToken ?? '')).toMatchObject({ email: 'zoe@ex.com', name: 'Zoë <b>O’Hara</b>' });
});

// Clause C.10.4
test('cancelling, or closing the window, tells the shop nothing', async () => {
  const popup = await openChooser();
  await expectToClose(popup, () => popup.getByRole('button', { name: 'Cancel' }).click());
  expect(await told()).toEqual([]);
});

test('a failure is said in words and can be tried again', async () => {
  const popup = await openChooser();
  await popup.route('**/identity/google/credential', (route) => route.abort(), { times: 1 });
  await popup.getByRole('button', { name: 'Tom Okafor' }).click();
  await popup.getByRole('alert').getByText('The shop cannot be reached. Try again.').waitFor();
  await expectToClose(popup, () => popup.getByRole('button', { name: 'Tom Okafor' }).click());
  await theOnlyOne();
});

test('a page of another origin that opens the window learns nothing', async () => {
  const popup = await openChooser({}, service.url.replace('127.0.0.1', 'localhost'));
  await expectToClose(popup, () => popup.getByRole('button', { name: 'Rosa Jansen' }).click());
  expect(await told()).toEqual([]);
});

test('opened by itself, it says where to go', async () => {
  await openShop();
  await shop.goto(`${service.url}/identity/google`);
  await shop.getByRole('button', { name: 'Rosa Jansen' }).click();
  await shop.getByRole('alert').getByText('Go to the shop and choose Google there.').waitFor();
});

test('no script runs but its own', async () => {
  const popup = await openChooser();
  const ran = await popup.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.intruder = true';
    document.body.append(script);
    return 'intruder' in window;
  });
  expect(ran).toBe(false);
});

test.each(['light', 'dark'] as const)('it is accessible in %s', async (colorScheme) => {
  const popup = await openChooser({ colorScheme });
  expect(await accessibilityViolations(popup)).toEqual([]);
  const folder = process.env['SCREENSHOTS'];
  if (folder) await popup.screenshot({ path: `${folder}/google-chooser-${colorScheme}.png` });
});
