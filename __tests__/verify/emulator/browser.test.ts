import type { Browser, Page } from 'playwright-core';
import { GOOGLE_UNREACHABLE, PASSWORD_CHANGE_MESSAGES, SESSION_MESSAGES } from '../../../src/contract/identityMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { waitForToast } from '../../support/assertions';
import { fill, newVisitor, connectToBrowser, storedToken } from '../../support/browser';
import { newEmail, PASSWORD } from '../../support/customers';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startServer, type RunningServer } from '../../support/server';
import { waitUntil } from '../../support/wait';
import { waitUntilSignedIn, logIn, signOut, signUp, mainButton } from '../../support/session';
import { startAuthEmulator } from './authEmulator';

const PROJECT = 'demo-forgeline';
let emulator: Awaited<ReturnType<typeof startAuthEmulator>>;
let database: TestDatabase;
let shop: RunningServer;
let browser: Browser;
let visitor: Awaited<ReturnType<typeof newVisitor>>;
let page: Page;

beforeAll(async () => {
  [emulator, database, browser] = await Promise.all([
    startAuthEmulator(PROJECT),
    createTestDatabase(),
    connectToBrowser(),
  ]);
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
test("with Google's Auth emulator, a user signs up, reloads, signs out and logs in again", async () => {
  const email = newEmail();
  await signUp(page, email);
  expect(await storedToken(page)).toMatch(/^ey/);
  await page.reload();
  await waitUntilSignedIn(page);
  await signOut(page);
  expect(await storedToken(page)).toBeNull();
  await page.goto('/login');
  await logIn(page, email);
  await waitUntilSignedIn(page);
  await signOut(page);
  expect(visitor.requests.some((url) => url.startsWith(emulator.url))).toBe(true);
  expect(visitor.errors).toEqual([]);
});

test("without internet access, Google sign-in shows that Google can't be reached", async () => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByText(GOOGLE_UNREACHABLE).waitFor();
});

// Clause C.5.10
test("with Google's Auth emulator, a customer verifies the email by the link that sign-up sends", async () => {
  const email = newEmail();
  await signUp(page, email);
  await page.goto('/dashboard');
  await page.getByText(PAGE_MESSAGES.emailNotVerified).waitFor();
  const link = await waitUntil(() => emulator.findLink(email, 'VERIFY_EMAIL').catch(() => undefined));
  await page.goto(link.href);
  await page.waitForURL(`${shop.origin}/`);
  await waitForToast(page, SESSION_MESSAGES.emailVerified);
  await page.goto('/dashboard');
  await page.getByLabel('Address').waitFor();
  expect(await page.getByText(PAGE_MESSAGES.emailNotVerified).count()).toBe(0);
});

// Clause C.11.12
test("with Google's Auth emulator, a customer who forgot the password logs in with a new one", async () => {
  const email = newEmail();
  await signUp(page, email);
  await signOut(page);
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByText(PAGE_MESSAGES.passwordResetSent).waitFor();
  const link = await emulator.findLink(email, 'PASSWORD_RESET');
  link.searchParams.set('newPassword', 'another-secret-2');
  await page.goto(link.href);
  await page.waitForURL(`${shop.origin}/login`);
  await logIn(page, email, 'another-secret-2');
  await waitUntilSignedIn(page);
});

test("with Google's Auth emulator, a customer changes the password and logs in with it", async () => {
  const email = newEmail();
  await signUp(page, email);
  await page.goto('/dashboard');
  await fill(page, { 'Current password': 'wrong-password', 'New password': 'another-secret-2' });
  await mainButton(page, 'Change password').click();
  await page.getByText(PASSWORD_CHANGE_MESSAGES['auth/invalid-credential']!).waitFor();
  await fill(page, { 'Current password': PASSWORD });
  await mainButton(page, 'Change password').click();
  await waitForToast(page, PAGE_MESSAGES.passwordChanged);
  await signOut(page);
  await page.goto('/login');
  await logIn(page, email, 'another-secret-2');
  await waitUntilSignedIn(page);
});
