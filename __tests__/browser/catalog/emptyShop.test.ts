import { findDisplayProblems } from '../../support/assertions';
import { newAccount, newEmail } from '../../support/customers';
import { createTestDatabase, query, type TestDatabase } from '../../support/database';
import { startServer, type RunningServer } from '../../support/server';
import { signInAs, waitUntilInteractive } from '../../support/session';
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

// Clauses A.2.35, C.16.1
test('Manage All Orders of a shop without orders shows only their number', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email, 'Ann Lee', undefined, shop.origin);
  await signInAs(page, email, undefined, shop.origin);
  await query(`update users set role = 'admin' where email = $1`, [email], database.url);
  await page.goto('/dashboard/manageallorders');
  await page.getByText('0 orders so far.', { exact: true }).waitFor();
  const heading = page.getByRole('heading', { name: 'Manage All Orders' });
  expect(await heading.locator('xpath=following-sibling::*').allInnerTexts()).toEqual(['0 orders so far.']);
  expect(await findDisplayProblems(page, 'Manage All Orders without orders', 'main')).toEqual([]);
});
