import type { Browser, Page } from 'playwright-core';
import { GOOGLE_UNREACHABLE, IDENTITY_SENTENCES } from '../../../src/contract/identityMessages';
import { fill, newVisitor, openBrowser, storedToken, type Visitor } from '../../support/browser';
import { newEmail, PASSWORD } from '../../support/customers';
import { startEmulator } from '../../support/googleTokens';
import { freshDatabase, type TestDatabase } from '../../support/database';
import { startServer, type RunningServer } from '../../support/server';
import { isIn, logIn, signOut, signUp, submit } from '../../support/session';

const PROJECT = 'demo-forgeline';
let emulator: Awaited<ReturnType<typeof startEmulator>>;
let database: TestDatabase;
let shop: RunningServer;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  [emulator, database, browser] = await Promise.all([startEmulator(PROJECT), freshDatabase(), openBrowser()]);
  shop = await startServer({
    DATABASE_URL: database.url,
    FIREBASE_AUTH_EMULATOR_HOST: new URL(emulator.url).host,
    FIREBASE_PROJECT_ID: PROJECT,
  });
});
beforeEach(async () => {
  visitor = await newVisitor(browser, shop.origin);
  page = visitor.page;
});
afterEach(() => visitor.context.close());
afterAll(async () => {
  await browser.close();
  await shop.stop();
  await emulator.stop();
  await database.drop();
});

// Clauses A.1.4, C.10.6
test("on Google's Auth emulator, by settings alone: signs up, reloads, signs out and logs in again", async () => {
  const email = newEmail();
  await signUp(page, email);
  expect(await storedToken(page)).toMatch(/^ey/);
  await page.reload();
  await isIn(page);
  await signOut(page);
  expect(await storedToken(page)).toBeNull();
  await page.goto('/login');
  await logIn(page, email);
  await isIn(page);
  await signOut(page);
  expect(visitor.requests.some((url) => url.startsWith(emulator.url))).toBe(true);
  expect(visitor.troubles).toEqual([]);
});

test('a wrong password and an unknown address: the sentence for both; an address in use', async () => {
  const email = newEmail();
  await signUp(page, email);
  await signOut(page);
  for (const [who, password] of [
    [email, 'wrong-password'],
    [newEmail(), PASSWORD],
  ] as const) {
    await page.goto('/login');
    await logIn(page, who, password);
    await page.getByText(IDENTITY_SENTENCES['auth/invalid-credential']!).waitFor();
  }
  await page.goto('/signup');
  await fill(page, { Name: 'Ann Lee', Email: email, Password: PASSWORD });
  await submit(page, 'Signup').click();
  await page.getByText(IDENTITY_SENTENCES['auth/email-already-in-use']!).waitFor();
});

test("Google's own window cannot come up without the internet, and it is told in words", async () => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByText(GOOGLE_UNREACHABLE).waitFor();
});

// Clause C.11.12
test('a forgotten password has a mail of the provider', async () => {
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(newEmail());
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByText('If an account has this email, a mail to set a new password is on its way.').waitFor();
});
