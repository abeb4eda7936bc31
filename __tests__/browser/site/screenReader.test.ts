import type { Page } from 'playwright-core';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES, requiredField } from '../../../src/contract/specMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { browserFixture, fill, NETWORK_ERROR } from '../../support/browser';
import { newEmail } from '../../support/customers';
import { logIn, nav, signInAsNewUser, mainButton, waitUntilInteractive } from '../../support/session';
import { expectEventually } from '../../support/wait';

const fixture = browserFixture();

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

test('each invalid field is linked to its error, and the error is announced', async () => {
  const { page } = fixture;
  const expectFieldErrors = async (path: string, button: string, errors: string[]) => {
    await page.goto(path);
    await mainButton(page, button).and(page.locator(':enabled')).click();
    await expectEventually(() => invalidFieldErrors(page), errors);
  };
  await expectFieldErrors('/signup', 'Sign up', [
    SPEC_MESSAGES.nameRequired,
    SPEC_MESSAGES.emailRequired,
    SPEC_MESSAGES.passwordRequired,
  ]);
  await signInAsNewUser(page);
  await expectFieldErrors('/dashboard/addreview', 'Add review', [
    requiredField('Description'),
    PAGE_MESSAGES.ratingRequired,
  ]);
});

test('success toasts are announced politely, but error toasts and login errors are announced immediately', async () => {
  const { page, visitor } = fixture;
  await page.goto('/login');
  await logIn(page, newEmail());
  await page.getByRole('main').getByRole('alert').getByText('Wrong email or password.').waitFor();
  await signInAsNewUser(page);
  await page.goto('/dashboard');
  await fill(page, { Address: 'a', Phone: '555 0100', LinkedIn: 'a.example' });
  const toasts = page.locator('section[aria-live=polite]');
  await mainButton(page, 'Save').click();
  await toasts.getByRole('status').getByText(SPEC_MESSAGES.profileSaved).waitFor();
  await page.route('**/profile', (route) => route.abort());
  await mainButton(page, 'Save').click();
  await toasts.getByRole('alert').getByText(APP_MESSAGES.offline).waitFor();
  visitor.allowedErrors.push(NETWORK_ERROR);
});
