import { allowError, browserFixture, fill } from '../../support/browser';
import { newEmail } from '../../support/customers';
import { expectEventually } from '../../support/wait';
import { freshDatabase, type TestDatabase } from '../../support/database';
import { keyboardOf } from '../../support/keyboard';
import { startServer, type RunningServer } from '../../support/server';
import { signUp, submit, waitUntilInteractive } from '../../support/session';

let database: TestDatabase;
let shop: RunningServer;
beforeAll(async () => {
  database = await freshDatabase();
  shop = await startServer({ DATABASE_URL: database.url, DEMO: 'on', IMG_HOSTS: 'pics.example' });
});
afterAll(async () => {
  await shop.stop();
  await database.drop();
});

const fixture = browserFixture(() => shop.origin);

test.each(['light', 'dark'] as const)(
  'with IMG_HOSTS a customer reviews with initials, by keyboard, in %s colors',
  async (colorScheme) => {
    const { page, visitor } = fixture;
    await page.emulateMedia({ colorScheme });
    await signUp(page, newEmail());
    await page.goto('/dashboard/addreview');
    await waitUntilInteractive(page);
    const description = `Holds in ${colorScheme}.`;
    await fill(page, { Description: description, Ratings: '5', 'Photo link': 'https://tracker.example/pixel.gif' });
    allowError(visitor, /Content Security Policy/);
    await submit(page, 'Add review').click();
    await page.getByRole('alert').filter({ hasText: 'a link to pics.example' }).waitFor();

    const keys = keyboardOf(page);
    await keys.choose(submit(page, 'Use my initials'), 'Space');
    await page.getByText('The photo link now shows your initials.').waitFor();
    expect(await page.getByLabel('Photo link').inputValue()).toBe('/initials/AL.svg');
    const isDrawn = () =>
      page
        .locator('figure img')
        .evaluate((img: HTMLImageElement) => img.src.endsWith('/AL.svg') && img.naturalWidth > 0);
    await expectEventually(isDrawn, true);
    await keys.choose(submit(page, 'Add review'));
    await page.getByText('Thanks For Your Review').waitFor();
    expect(keys.unseenStops).toEqual([]);

    await page.goto('/');
    const card = page.getByRole('listitem').filter({ hasText: description });
    await card.scrollIntoViewIfNeeded();
    await expectEventually(() => card.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth > 0), true);
  },
);
