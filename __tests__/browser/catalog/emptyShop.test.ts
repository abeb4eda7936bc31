import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startServer, type RunningServer } from '../../support/server';
import { waitUntilInteractive } from '../../support/session';
import { browserFixture } from '../../support/browser';

let database: TestDatabase;
let shop: RunningServer;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await startServer({ DATABASE_URL: database.url, DEMO: 'off' });
});
afterAll(async () => {
  await shop.stop();
  await database.drop();
});

const fixture = browserFixture(() => shop.origin);

test('a shop without tools and reviews shows notes in their place', async () => {
  const { page } = fixture;
  const heading = (id: string, name: string) => page.locator(`#${id}`).getByRole('heading', { name });
  await page.goto('/');
  await waitUntilInteractive(page);
  await heading('tools', 'No tools yet').waitFor();
  await heading('reviews', 'No reviews yet').waitFor();
});
