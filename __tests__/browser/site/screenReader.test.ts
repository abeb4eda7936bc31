import type { Page } from 'playwright-core';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES, requiredField } from '../../../src/contract/specMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { allowError, browserFixture, fill, NETWORK_ERROR } from '../../support/browser';
import { placeOrder } from '../../support/checkout';
import { newEmail } from '../../support/customers';
import {
  DASHBOARD_PATHS,
  logIn,
  nav,
  signInAsDemoUser,
  signInAsNewUser,
  mainButton,
  waitUntilInteractive,
} from '../../support/session';
import { newTool, setPrice, sharedTool } from '../../support/tools';
import { expectEventually } from '../../support/wait';

const fixture = browserFixture();
const LANDMARKS = ['- banner', '- navigation "Main"', '- main', '- contentinfo', '- navigation "FAQ"'];
const NEEDS_NAME = /^\s*- (button|link|textbox|searchbox|spinbutton|radio|navigation|form|table|dialog|region)\b(?! ")/;

/** Finds missing landmarks, elements without a name, and more or fewer than one h1 and one `main`. */
async function findTreeProblems(page: Page): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).replaceAll(`- '`, '- ').split('\n');
  const missing = LANDMARKS.filter((landmark) => !lines.some((line) => line.trim().startsWith(landmark)));
  const nameless = lines.filter((line) => NEEDS_NAME.test(line));
  const titles = lines.filter((line) => line.includes('[level=1]')).length;
  const mains = lines.filter((line) => /^\s*- main/.test(line)).length;
  return [
    ...missing,
    ...nameless,
    ...(titles + mains === 2 ? [] : [`${titles} h1 and ${mains} main instead of one each`]),
  ];
}

async function findTreeProblemsOn(paths: readonly string[]): Promise<string[]> {
  const { page } = fixture;
  const problems: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await waitUntilInteractive(page);
    await page.getByRole('main').getByText('Loading').waitFor({ state: 'detached' });
    problems.push(...(await findTreeProblems(page)).map((line) => `${path}: ${line.trim()}`));
  }
  return problems;
}

test('public pages have landmarks, one title and named controls', async () => {
  expect(await findTreeProblemsOn(['/', '/blogs', '/about', '/login', '/signup', '/nowhere'])).toEqual([]);
});

test('a customer’s pages have landmarks, one title and named controls', async () => {
  await signInAsNewUser(fixture.page);
  const { _id } = await sharedTool();
  const order = await placeOrder(fixture.page);
  expect(
    await findTreeProblemsOn([...DASHBOARD_PATHS.customer, `/dashboard/payment/${order._id}`, `/purchase/${_id}`]),
  ).toEqual([]);
});

test('an admin’s pages have landmarks, one title and named controls', async () => {
  await signInAsDemoUser(fixture.page, 'admin');
  expect(await findTreeProblemsOn(DASHBOARD_PATHS.admin)).toEqual([]);
});

test('navigating announces the title of the new page, but loading a page announces nothing', async () => {
  const { page } = fixture;
  await page.goto('/');
  await waitUntilInteractive(page);
  const announcement = page.locator('#root > [aria-live=polite]');
  expect(await announcement.textContent()).toBe('');
  for (const [link, title] of [
    ['Blogs', 'Blogs · Forgeline'],
    ['About', 'About · Forgeline'],
    ['Login', 'Login · Forgeline'],
  ] as const) {
    await nav(page).getByRole('link', { name: link, exact: true }).click();
    await announcement.getByText(title, { exact: true }).waitFor();
    expect(await page.title()).toBe(title);
  }
});

const readAriaLiveOfSlides = (page: Page) =>
  page.locator('[aria-roledescription=carousel] .swiper-wrapper').getAttribute('aria-live');
const control = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a slide that the visitor chooses is announced, but an automatic change of slides is not', async () => {
  const { page } = fixture;
  await page.goto('/');
  await page.locator('.swiper-initialized').waitFor({ state: 'attached' });
  await expectEventually(() => readAriaLiveOfSlides(page), 'off');
  await control(page, 'Next slide').focus();
  await expectEventually(() => readAriaLiveOfSlides(page), 'polite');
  await control(page, 'Next slide').blur();
  await expectEventually(() => readAriaLiveOfSlides(page), 'off');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await page.locator('.swiper-initialized').waitFor({ state: 'attached' });
  await control(page, 'Next slide').click();
  await page.getByRole('group', { name: '2 of 4' }).waitFor();
  await page.mouse.move(0, 700);
  await control(page, 'Next slide').blur();
  expect(await readAriaLiveOfSlides(page)).toBe('polite');
});

/** @returns the error messages that are linked to each invalid field */
const invalidFieldErrors = (page: Page) =>
  page.locator('main [aria-invalid=true]').evaluateAll((fields) =>
    fields.map((field) => {
      const notes = (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id));
      const errors = notes.filter((note) => note?.getAttribute('role') === 'alert');
      return errors.map((note) => note!.textContent).join();
    }),
  );

const required = (...labels: string[]) => labels.map(requiredField);
const CREDENTIALS = [SPEC_MESSAGES.emailRequired, SPEC_MESSAGES.passwordRequired];

test('each invalid field is linked to its error, and the error is announced', async () => {
  const { page } = fixture;
  const expectFieldErrors = async (path: string, button: string, errors: string[]) => {
    await page.goto(path);
    await mainButton(page, button).and(page.locator(':enabled')).click();
    await expectEventually(() => invalidFieldErrors(page), errors);
  };
  await expectFieldErrors('/login', 'Log in', CREDENTIALS);
  await expectFieldErrors('/signup', 'Sign up', [SPEC_MESSAGES.nameRequired, ...CREDENTIALS]);
  await signInAsNewUser(page);
  const { _id } = await sharedTool();
  await expectFieldErrors(`/purchase/${_id}`, 'Place order', required('Address', 'Phone'));
  await expectFieldErrors('/dashboard', 'Save', required('Address', 'Phone', 'LinkedIn'));
  await expectFieldErrors('/dashboard/addreview', 'Add review', [
    requiredField('Description'),
    PAGE_MESSAGES.ratingRequired,
  ]);
  await signInAsDemoUser(page, 'admin');
  const labels = ['Name', 'Price', 'Minimum order quantity', 'Available quantity', 'Description', 'Picture link'];
  await expectFieldErrors('/dashboard/addproduct', 'Add Product', required(...labels));
});

test('success toasts are announced politely, but error toasts and login errors are announced immediately', async () => {
  const { page, visitor } = fixture;
  await page.goto('/login');
  await logIn(page, newEmail());
  await page.getByRole('main').getByRole('alert').getByText('Wrong email or password.').waitFor();
  await signInAsNewUser(page);
  await page.goto('/dashboard');
  await fill(page, { Address: 'a', Phone: 'p', LinkedIn: 'a.example' });
  const toasts = page.locator('section[aria-live=polite]');
  await mainButton(page, 'Save').click();
  await toasts.getByRole('status').getByText(SPEC_MESSAGES.profileSaved).waitFor();
  await page.route('**/profile', (route) => route.abort());
  await mainButton(page, 'Save').click();
  await toasts.getByRole('alert').getByText(APP_MESSAGES.offline).waitFor();
  allowError(visitor, NETWORK_ERROR);
});

/** Starts to record every alert that a screen reader would announce. */
const recordAlerts = (page: Page) =>
  page.evaluate(() => {
    const alerts: string[] = [];
    const lastTexts = new WeakMap<Element, string>();
    const record = (alert: Element) => {
      const text = alert.textContent;
      if (text && lastTexts.get(alert) !== text) alerts.push(text);
      lastTexts.set(alert, text);
    };
    const recordAll = () => document.querySelectorAll('[role=alert]').forEach(record);
    new MutationObserver(recordAll).observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(window, { alerts });
  });
const readRecordedAlerts = (page: Page) => page.evaluate(() => (window as unknown as { alerts: string[] }).alerts);

test('a failed order is announced once: below its form, or in a toast if the customer has left the page', async () => {
  const { page, visitor } = fixture;
  const expectFormError = async (text: string) => {
    await mainButton(page, 'Place order').click();
    await page.getByRole('main').locator('form').getByRole('alert').getByText(text).waitFor();
  };
  await signInAsNewUser(page);
  const tool = await newTool();
  await page.goto(`/purchase/${tool._id}`);
  await fill(page, { Address: 'a', Phone: 'p', Quantity: String(tool.minimumOrderQuantity) });
  await recordAlerts(page);
  await page.route('**/order', (route) => route.abort());
  await expectFormError(PAGE_MESSAGES.noReplyToOrder);
  await page.unroute('**/order');
  await setPrice(tool._id, 99);
  await expectFormError('The price has changed to $99 each.');
  await page.route('**/order', async (route) => {
    await nav(page).getByRole('link', { name: 'Blogs' }).click();
    await page.getByRole('heading', { level: 1, name: 'BLOG POSTS' }).waitFor();
    await route.abort();
  });
  await mainButton(page, 'Order at $99 each').click();
  // Only a failure that happens after the customer has left the page is announced in a toast.
  await expectEventually(
    () => readRecordedAlerts(page),
    [PAGE_MESSAGES.noReplyToOrder, 'The price has changed to $99 each.', APP_MESSAGES.offline],
  );
  allowError(visitor, NETWORK_ERROR);
});
