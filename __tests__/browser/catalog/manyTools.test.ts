import { findAccessibilityViolations, findDisplayProblems, measureHorizontalOverflow } from '../../support/assertions';
import { browserFixture, PHONE } from '../../support/browser';
import { createTestDatabase, query, type TestDatabase } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { startServer, type RunningServer } from '../../support/server';
import { waitUntilInteractive } from '../../support/session';
import { expectEventually } from '../../support/wait';

let database: TestDatabase;
let shop: RunningServer;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await startServer({ DATABASE_URL: database.url, DEMO: 'off' });
  await query(
    `insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
     select 'Wrench ' || n, 18, 20, 640, 640, repeat('Made of steel. ', 20), '/images/tools/claw-hammer.svg'
     from generate_series(1, 130) n`,
    [],
    database.url,
  );
  await query("notify forgeline_catalogue, 'somebody tools'", [], database.url);
});
afterAll(async () => {
  await shop.stop();
  await database.drop();
});

const fixture = browserFixture(() => shop.origin);

test('a card that only scripts render expands its text too, and has no details element, which is slow', async () => {
  const { page } = fixture;
  await page.setViewportSize(PHONE.viewport);
  await page.goto('/');
  await waitUntilInteractive(page);
  const cards = page.locator('#tools li');
  await expectEventually(async () => {
    await cards.last().scrollIntoViewIfNeeded();
    return cards.count();
  }, 130);
  expect(await page.locator('#tools details').count()).toBe(100);

  const card = cards.nth(120);
  const text = card.locator('p[dir=auto]');
  const isCut = () => text.evaluate((element) => element.scrollHeight > element.clientHeight + 1);
  const isAsWideAsThePage = async () => (await card.boundingBox())!.width > PHONE.viewport.width * 0.8;
  const button = card.getByRole('button', { name: 'More', exact: true });
  expect([await isCut(), await isAsWideAsThePage(), await button.getAttribute('aria-expanded')]).toEqual([
    true,
    false,
    'false',
  ]);
  const keys = openKeyboard(page);
  await button.focus();
  await keys.press('Enter');
  const less = card.getByRole('button', { name: 'Less', exact: true });
  await keys.expectFocus(less);
  expect([await isCut(), await isAsWideAsThePage(), await less.getAttribute('aria-expanded')]).toEqual([
    false,
    true,
    'true',
  ]);
  expect(await findDisplayProblems(page, 'opened card', '#tools li:has([aria-expanded=true])')).toEqual([]);
  expect(await measureHorizontalOverflow(page)).toBe(0);
  expect(await findAccessibilityViolations(page, { within: 'main' })).toEqual([]);
  await keys.press('Space');
  expect(await isCut()).toBe(true);
});
