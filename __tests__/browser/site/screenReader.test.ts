import type { Page } from 'playwright-core';
import { browserFixture } from '../../support/browser';
import { nav, waitUntilInteractive } from '../../support/session';
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
