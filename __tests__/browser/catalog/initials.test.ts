import { allowError, browserFixture, fill } from '../../support/browser';
import { newEmail } from '../../support/customers';
import { expectEventually } from '../../support/wait';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { startServer, type RunningServer } from '../../support/server';
import { signUp, mainButton, waitUntilInteractive } from '../../support/session';

let database: TestDatabase;
let shop: RunningServer;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await startServer({ DATABASE_URL: database.url, DEMO: 'on', IMG_HOSTS: 'pics.example' });
});
afterAll(async () => {
  await shop.stop();
  await database.drop();
});

const fixture = browserFixture(() => shop.origin);

test('with IMG_HOSTS, a customer can add a review with a picture of their initials by keyboard', async () => {
  const { page, visitor } = fixture;
  await signUp(page, newEmail());
  await page.goto('/dashboard/addreview');
  await waitUntilInteractive(page);
  const description = 'Holds well.';
  await fill(page, { Description: description, Ratings: '5', 'Picture link': 'https://tracker.example/pixel.gif' });
  allowError(visitor, /Content Security Policy/);
  await mainButton(page, 'Add review').click();
  await page.getByRole('alert').filter({ hasText: 'a link to pics.example' }).waitFor();

  const keys = openKeyboard(page);
  await keys.activate(mainButton(page, 'Use my initials'), 'Space');
  await keys.expectFocus(page.getByLabel('Picture link'));
  expect(await page.getByLabel('Picture link').inputValue()).toBe('/initials/AL.svg');
  const isImageLoaded = () =>
    page.locator('figure img').evaluate((img: HTMLImageElement) => img.src.endsWith('/AL.svg') && img.naturalWidth > 0);
  await expectEventually(isImageLoaded, true);
  await keys.activate(mainButton(page, 'Add review'));
  await page.getByText('Thanks For Your Review').waitFor();
  expect(keys.focusProblems).toEqual([]);

  await page.goto('/');
  const card = page.getByRole('listitem').filter({ hasText: description });
  await card.scrollIntoViewIfNeeded();
  await expectEventually(() => card.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth > 0), true);
});
