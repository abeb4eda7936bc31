import { randomInt } from 'node:crypto';
import { measureHorizontalOverflow } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { createTestDatabase, query, type TestDatabase } from '../../support/database';
import { signInAsDemoUser } from '../../support/session';
import { startServer, type RunningServer } from '../../support/server';

let database: TestDatabase;
let shop: RunningServer;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await startServer({ DATABASE_URL: database.url, DEMO: 'on', RATE_LIMIT: 'off' });
});
afterAll(async () => {
  await shop.stop();
  await database.drop();
});
const fixture = browserFixture(() => shop.origin);

test('an admin can find any of 10,000 users by email, even one whose email contains markup', async () => {
  const { page } = fixture;
  const hostile = ['<svg/onload=alert(1)>@evil.example', `${'w'.repeat(200)}@long.example`, 'שלום@مثال.example'];
  await query(
    `insert into users (id, email, display_name) select 'crowd-' || n, 'crowd' || n || '@mail.example', ''
     from generate_series(1, 10000) n on conflict do nothing`,
    [],
    database.url,
  );
  for (const [n, email] of hostile.entries())
    await query(
      `insert into users (id, email, display_name) values ($1, $2, '') on conflict do nothing`,
      [`hostile-${n}`, email],
      database.url,
    );
  await signInAsDemoUser(page, 'admin', shop.origin);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto('/dashboard/allusers');
  await page.getByText(/^10,0\d\d users$/).waitFor();
  const randomEmail = `crowd${randomInt(1, 10_001)}@mail.example`;
  for (const email of [...hostile, randomEmail]) {
    await page.getByLabel('Find by email').fill(email);
    await page.getByText(/^1 of [\d,]+ users$/).waitFor();
    await page.getByRole('cell').getByText(email, { exact: true }).waitFor();
    expect(await measureHorizontalOverflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Remove User' }).click();
    await page.getByText(`${email} was not removed.`).waitFor();
    expect(await measureHorizontalOverflow(page)).toBe(0);
  }
  await page.getByRole('button', { name: /^Make Admin/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click();
  await page.getByText('Successfully made an Admin').waitFor();
  await page.getByText('Admin', { exact: true }).waitFor();
});
