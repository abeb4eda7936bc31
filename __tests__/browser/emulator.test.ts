import type { Browser, Page } from 'playwright-core';
import { GOOGLE_UNREACHABLE, IDENTITY_SENTENCES } from '../../src/contract/identityMessages';
import { openBrowser } from '../support/browser';
import { freshDatabase, type TestDatabase } from '../support/database';
import { startEmulator } from '../support/emulator';
import { startServer, type RunningServer } from '../support/server';
import { fill, newVisitor, storedToken, type Visitor } from '../support/visitor';

const PROJECT = 'demo-forgeline';
const EMAIL = 'ann@shop.example';
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
  visitor = await newVisitor(browser, shop.origin);
  page = visitor.page;
}, 120_000);
afterAll(async () => {
  await browser.close();
  await shop.stop();
  await emulator.stop();
  await database.drop();
});

const nav = () => page.getByRole('navigation', { name: 'Main' });
const submit = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const isIn = (name: string) => nav().getByText(name, { exact: true }).waitFor();
const isOut = () => nav().getByRole('link', { name: 'Login' }).waitFor();

test("on Google's Auth emulator, by settings alone: signs up, reloads, signs out and logs in again", async () => {
  await page.goto('/signup');
  await fill(page, { Name: 'Ann Lee', Email: EMAIL, Password: 'secret-1' });
  await submit('Signup').click();
  await isIn('Ann Lee');
  expect(await storedToken(page)).toMatch(/^ey/);
  await page.reload();
  await isIn('Ann Lee');
  await nav().getByRole('button', { name: 'Sign out' }).click();
  await isOut();
  expect(await storedToken(page)).toBeNull();
  await page.goto('/login');
  await fill(page, { Email: EMAIL, Password: 'secret-1' });
  await submit('Login').click();
  await isIn('Ann Lee');
  await nav().getByRole('button', { name: 'Sign out' }).click();
  await isOut();
  expect(visitor.requests.some((url) => url.startsWith(emulator.url))).toBe(true);
  expect(visitor.troubles).toEqual([]);
});

test.each([
  [EMAIL, 'wrong-password'],
  ['nobody@shop.example', 'secret-1'],
])('%s with %s: the sentence for both', async (email, password) => {
  await page.goto('/login');
  await fill(page, { Email: email, Password: password });
  await submit('Login').click();
  await page.getByText(IDENTITY_SENTENCES['auth/invalid-credential']!).waitFor();
});

test('an address in use', async () => {
  await page.goto('/signup');
  await fill(page, { Name: 'Ann', Email: EMAIL, Password: 'secret-1' });
  await submit('Signup').click();
  await page.getByText(IDENTITY_SENTENCES['auth/email-already-in-use']!).waitFor();
});

test("Google's own window cannot come up without the internet, and it is told in words", async () => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByText(GOOGLE_UNREACHABLE).waitFor();
});

test('a forgotten password has a mail of the provider', async () => {
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(EMAIL);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByText('If an account has this email, a mail to set a new password is on its way.').waitFor();
});
