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
  submitButton,
  waitUntilInteractive,
} from '../../support/session';
import { newTool, setPrice, sharedTool } from '../../support/tools';
import { expectEventually } from '../../support/wait';

const fixture = browserFixture();
const LANDMARKS = ['- banner', '- navigation "Main"', '- main', '- contentinfo', '- navigation "FAQ"'];
const NEEDS_NAME = /^\s*- (button|link|textbox|searchbox|spinbutton|radio|navigation|form|table|dialog|region)\b(?! ")/;

/** What a reader would be at a loss with, on a page as it stands. */
async function lost(page: Page): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).replaceAll(`- '`, '- ').split('\n');
  const missing = LANDMARKS.filter((landmark) => !lines.some((line) => line.trim().startsWith(landmark)));
  const nameless = lines.filter((line) => NEEDS_NAME.test(line));
  const titles = lines.filter((line) => line.includes('[level=1]')).length;
  const twice = lines.filter((line) => /^\s*- main/.test(line)).length;
  return [...missing, ...nameless, ...(titles + twice === 2 ? [] : [`${titles} h1, ${twice} main`])];
}

async function lostOn(paths: readonly string[]): Promise<string[]> {
  const { page } = fixture;
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await waitUntilInteractive(page);
    await page.getByRole('main').getByText('Loading').waitFor({ state: 'detached' });
    found.push(...(await lost(page)).map((line) => `${path}: ${line.trim()}`));
  }
  return found;
}

test('a reader finds landmarks, one title, and a name on everything that can be used: public pages', async () => {
  expect(await lostOn(['/', '/blogs', '/about', '/login', '/signup', '/nowhere'])).toEqual([]);
});

test('a reader finds landmarks, one title, and a name on everything that can be used: a customer’s pages', async () => {
  await signInAsNewUser(fixture.page);
  const { _id } = await sharedTool();
  const order = await placeOrder(fixture.page);
  expect(await lostOn([...DASHBOARD_PATHS.customer, `/dashboard/payment/${order._id}`, `/purchase/${_id}`])).toEqual(
    [],
  );
});

test('a reader finds landmarks, one title, and a name on everything that can be used: an admin’s pages', async () => {
  await signInAsDemoUser(fixture.page, 'admin');
  expect(await lostOn(DASHBOARD_PATHS.admin)).toEqual([]);
});

test('the name of a page is said when one comes to it without a load, and not when it is loaded', async () => {
  const { page } = fixture;
  await page.goto('/');
  await waitUntilInteractive(page);
  const said = page.locator('#root > [aria-live=polite]');
  expect(await said.textContent()).toBe('');
  for (const [link, title] of [
    ['Blogs', 'Blogs · Forgeline'],
    ['About', 'About · Forgeline'],
    ['Login', 'Login · Forgeline'],
  ] as const) {
    await nav(page).getByRole('link', { name: link, exact: true }).click();
    await said.getByText(title, { exact: true }).waitFor();
    expect(await page.title()).toBe(title);
  }
});

const slides = (page: Page) =>
  page.locator('[aria-roledescription=carousel] .swiper-wrapper').getAttribute('aria-live');
const control = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a slide that one turns to is said, and one that turns by itself is not', async () => {
  const { page } = fixture;
  await page.goto('/');
  await page.locator('.swiper-initialized').waitFor({ state: 'attached' });
  await expectEventually(() => slides(page), 'off');
  await control(page, 'Next slide').focus();
  await expectEventually(() => slides(page), 'polite');
  await control(page, 'Next slide').blur();
  await expectEventually(() => slides(page), 'off');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await page.locator('.swiper-initialized').waitFor({ state: 'attached' });
  await control(page, 'Next slide').click();
  await page.getByRole('group', { name: '2 of 4' }).waitFor();
  await page.mouse.move(0, 700);
  await control(page, 'Next slide').blur();
  expect(await slides(page)).toBe('polite');
});

/** Each field that is refused, and what is read with it. */
const refused = (page: Page) =>
  page.locator('main [aria-invalid=true]').evaluateAll((fields) =>
    fields.map((field) => {
      const notes = (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id));
      const errors = notes.filter((note) => note?.getAttribute('role') === 'alert');
      return errors.map((note) => note!.textContent).join();
    }),
  );

const required = (...labels: string[]) => labels.map(requiredField);
const CREDENTIALS = [SPEC_MESSAGES.emailRequired, SPEC_MESSAGES.passwordRequired];

test('what is wrong with a field is read with it, and said when it comes', async () => {
  const { page } = fixture;
  const isRefused = async (path: string, button: string, sentences: string[]) => {
    await page.goto(path);
    await submitButton(page, button).and(page.locator(':enabled')).click();
    await expectEventually(() => refused(page), sentences);
  };
  await isRefused('/login', 'Log in', CREDENTIALS);
  await isRefused('/signup', 'Sign up', [SPEC_MESSAGES.nameRequired, ...CREDENTIALS]);
  await signInAsNewUser(page);
  const { _id } = await sharedTool();
  await isRefused(`/purchase/${_id}`, 'Place order', required('Address', 'Phone', 'Quantity'));
  await isRefused('/dashboard', 'Save', required('Address', 'Phone', 'LinkedIn'));
  await isRefused('/dashboard/addreview', 'Add review', [
    requiredField('Description'),
    PAGE_MESSAGES.ratingRequired,
    requiredField('Photo link'),
  ]);
  await signInAsDemoUser(page, 'admin');
  const six = ['Name', 'Price', 'Minimum order quantity', 'Available quantity', 'Description', 'Picture link'];
  await isRefused('/dashboard/addproduct', 'Add Product', required(...six));
});

test('what happened is said: a toast of success politely, one of failure at once, a login refused under its form', async () => {
  const { page, visitor } = fixture;
  await page.goto('/login');
  await logIn(page, newEmail());
  await page.getByRole('main').getByRole('alert').getByText('Wrong email or password.').waitFor();
  await signInAsNewUser(page);
  await page.goto('/dashboard');
  await fill(page, { Address: 'a', Phone: 'p', LinkedIn: 'a.example' });
  const toasts = page.locator('section[aria-live=polite]');
  await submitButton(page, 'Save').click();
  await toasts.getByRole('status').getByText(SPEC_MESSAGES.profileSaved).waitFor();
  await page.route('**/profile', (route) => route.abort());
  await submitButton(page, 'Save').click();
  await toasts.getByRole('alert').getByText(APP_MESSAGES.offline).waitFor();
  allowError(visitor, NETWORK_ERROR);
});

/** Keeps all that is said as an alert from here on. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const heard: string[] = [];
    const last = new WeakMap<Element, string>();
    const hear = (alert: Element) => {
      const words = alert.textContent;
      if (words && last.get(alert) !== words) heard.push(words);
      last.set(alert, words);
    };
    const all = () => document.querySelectorAll('[role=alert]').forEach(hear);
    new MutationObserver(all).observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(window, { heard });
  });
const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: string[] }).heard);

test('an order that fails is told once: under its form, while that is there', async () => {
  const { page, visitor } = fixture;
  const failed = async (words: string) => {
    await submitButton(page, 'Place order').click();
    await page.getByRole('main').locator('form').getByRole('alert').getByText(words).waitFor();
  };
  await signInAsNewUser(page);
  const tool = await newTool();
  await page.goto(`/purchase/${tool._id}`);
  await fill(page, { Address: 'a', Phone: 'p', Quantity: String(tool.minimumOrderQuantity) });
  await listen(page);
  await page.route('**/order', (route) => route.abort());
  await failed(PAGE_MESSAGES.noReplyToOrder);
  await page.unroute('**/order');
  await setPrice(tool._id, 99);
  await failed('The price has changed to $99 each.');
  await page.route('**/order', async (route) => {
    await nav(page).getByRole('link', { name: 'Blogs' }).click();
    await page.getByRole('heading', { level: 1, name: 'BLOG POSTS' }).waitFor();
    await route.abort();
  });
  await submitButton(page, 'Order at $99 each').click();
  // A toast, which all that came before would have been as well.
  await expectEventually(
    () => heard(page),
    [PAGE_MESSAGES.noReplyToOrder, 'The price has changed to $99 each.', APP_MESSAGES.offline],
  );
  allowError(visitor, NETWORK_ERROR);
});
