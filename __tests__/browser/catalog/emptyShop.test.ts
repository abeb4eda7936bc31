import { freshDatabase, type TestDatabase } from '../../support/database';
import { startServer, type RunningServer } from '../../support/server';
import { waitUntilInteractive } from '../../support/session';
import { browserFixture } from '../../support/browser';

let database: TestDatabase;
let shop: RunningServer;
beforeAll(async () => {
  database = await freshDatabase();
  shop = await startServer({ DATABASE_URL: database.url, DEMO: 'off' });
});
afterAll(async () => {
  await shop.stop();
  await database.drop();
});

const fixture = browserFixture(() => shop.origin);

test('a shop that has nothing yet says so where its tools and reviews will stand', async () => {
  const { page } = fixture;
  const section = (id: string, words: string) => page.locator(`#${id}`).getByRole('heading', { name: words });
  await page.goto('/');
  await waitUntilInteractive(page);
  await section('tools', 'No tools yet').waitFor();
  await section('reviews', 'No reviews yet').waitFor();
});
