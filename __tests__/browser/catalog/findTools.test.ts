import type { Page } from 'playwright-core';
import { measureHorizontalOverflow, findDisplayProblems } from '../../support/assertions';
import { browserFixture, holdRequests, newVisitor, PHONE } from '../../support/browser';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { startServer, type RunningServer } from '../../support/server';
import { waitForPath, waitUntilInteractive } from '../../support/session';
import { expectEventually, waitUntil } from '../../support/wait';

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
const searchField = (page: Page) => page.getByLabel('Find a tool');
const cards = (page: Page) => page.locator('#tools li');
const readNames = (page: Page) => page.locator('#tools li h3').allInnerTexts();
const resultCount = (page: Page) => page.locator('#tools').getByRole('status');
const cardOf = (page: Page, name: string | RegExp) => cards(page).filter({ has: page.getByRole('heading', { name }) });

async function open(path: string, page = fixture.page) {
  await page.goto(path);
  await waitUntilInteractive(page);
  return page;
}

test('a search finds tools by words in any order, is kept in the URL, and survives a reload and going Back', async () => {
  const page = await open('/');
  const toolCount = await cards(page).count();
  await searchField(page).pressSequentially('500 HÁMMER');
  await resultCount(page).getByText(`1 of ${toolCount} tools`).waitFor();
  await expectEventually(() => readNames(page), ['Cross-peen hammer, 500 g']);
  await waitForPath(page, '/?q=500+H%C3%81MMER');
  await page.getByLabel('Sort by').selectOption('In stock first');
  await waitForPath(page, '/?q=500+H%C3%81MMER&sort=stock');

  await page.getByRole('link', { name: 'Blogs' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'BLOG POSTS' }).waitFor();
  await page.goBack();
  await expectEventually(() => readNames(page), ['Cross-peen hammer, 500 g']);
  await page.reload();
  await expectEventually(() => readNames(page), ['Cross-peen hammer, 500 g']);
  expect(await searchField(page).inputValue()).toBe('500 HÁMMER');
  expect(await page.getByLabel('Sort by').inputValue()).toBe('stock');

  await page.goBack();
  await waitForPath(page, '/?q=500+H%C3%81MMER');
  await page.goBack();
  await waitForPath(page, '/');
  await expectEventually(() => cards(page).count(), toolCount);
  expect(await searchField(page).inputValue()).toBe('');
});

test('a family of tools can be shown alone, and all tools can be sorted by price in both directions', async () => {
  const page = await open('/home');
  const readPrices = async () =>
    (await page.locator('#tools li').allInnerTexts()).map((text) => Number(/Price: \$ (\d+)/.exec(text)![1]));
  const ascending = [...(await readPrices())].sort((a, b) => a - b);
  await page.getByLabel('Sort by').selectOption('Price, low to high');
  await expectEventually(readPrices, ascending);
  await page.getByLabel('Sort by').selectOption('Price, high to low');
  await expectEventually(readPrices, [...ascending].reverse());
  expect(page.url()).toBe(`${shop.origin}/home?sort=price-down`);
  await page.getByLabel('Sort by').selectOption({ index: 0 });
  await waitForPath(page, '/home');

  const toolCount = ascending.length;
  const striking = page.getByRole('group', { name: 'Show only' }).getByRole('button', { name: /^Striking \d+$/ });
  const readPressed = () => striking.getAttribute('aria-pressed');
  expect(await readPressed()).toBe('false');
  await striking.click();
  await waitForPath(page, '/home?family=Striking');
  await expectEventually(readPressed, 'true');
  await waitUntil(async () => (await cards(page).count()) < toolCount);
  expect(await striking.innerText()).toBe(`Striking ${await cards(page).count()}`);
  expect(await readNames(page)).toEqual(expect.arrayContaining(['Cross-peen hammer, 500 g', 'Claw hammer, 560 g']));
  expect(await findDisplayProblems(page, 'one family', '#tools')).toEqual([]);
  await striking.click();
  await waitForPath(page, '/home');
  await expectEventually(() => cards(page).count(), toolCount);
  await page.goBack();
  await expectEventually(readPressed, 'true');
});

test('"In stock" hides tools whose stock is below their minimum order, also during a search', async () => {
  const page = await open('/');
  const keys = openKeyboard(page);
  const inStock = page.getByRole('button', { name: 'In stock', exact: true });
  await keys.activate(inStock);
  await waitForPath(page, '/?stock=only');
  await cardOf(page, /^Torque wrench/).waitFor({ state: 'detached' });
  await expectEventually(() => resultCount(page).innerText(), expect.stringMatching(/^[\d,]+ of [\d,]+ tools$/));
  const shown = await resultCount(page).innerText();
  expect(await cards(page).getByText('we may offer you a price').count()).toBe(0);
  await page.reload();
  await expectEventually(() => resultCount(page).innerText(), shown);
  expect(await inStock.getAttribute('aria-pressed')).toBe('true');
  await searchField(page).focus();
  await keys.type('torque 6789');
  await page.getByRole('heading', { name: 'No tool in stock matches “torque 6789”' }).waitFor();
  expect(await page.getByText('Did you mean').count()).toBe(0);
  expect(await findDisplayProblems(page, 'no match in stock', '#tools')).toEqual([]);
  await keys.activate(inStock);
  await cardOf(page, /^Torque wrench/).waitFor();
  await waitForPath(page, '/?q=torque+6789');
});

test('a search without a match shows a button for all tools, and a misspelled one a button for the corrected search', async () => {
  const page = await open('/');
  const keys = openKeyboard(page);
  const toolCount = await cards(page).count();
  await searchField(page).focus();
  await keys.type('left-handed hammer');
  await page.getByRole('heading', { name: 'No tool matches “left-handed hammer”' }).waitFor();
  expect(await resultCount(page).innerText()).toBe('No match');
  expect(await findDisplayProblems(page, 'no match', '#tools')).toEqual([]);
  await keys.activate(page.getByRole('button', { name: 'Show all tools' }));
  await keys.expectFocus(searchField(page));
  await expectEventually(() => cards(page).count(), toolCount);
  await waitForPath(page, '/');

  await keys.type('hamer');
  const suggestion = page.getByRole('button', { name: 'Did you mean “hammer”?' });
  await cardOf(page, /^Claw hammer/).waitFor();
  expect(await findDisplayProblems(page, 'suggestion', '#tools')).toEqual([]);
  await keys.activate(suggestion);
  await waitForPath(page, '/?q=hammer');
  await cardOf(page, /^Claw hammer/).waitFor();
  await expectEventually(() => searchField(page).inputValue(), 'hammer');
  await keys.expectFocus(searchField(page));
});

test('a URL with a search shows only matching tools from the start, without layout shift', async () => {
  const { page } = fixture;
  await page.addInitScript(() => {
    const seen: string[] = [];
    const shifts: string[] = [];
    Object.assign(window, { seen, shifts });
    const record = () => {
      for (const card of document.querySelectorAll('#tools li'))
        if (card.checkVisibility({ visibilityProperty: true })) seen.push(card.querySelector('h3')?.textContent ?? '');
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
    new PerformanceObserver((list) => {
      // Elsewhere and in the filters, letters can move when a font arrives late on a busy machine.
      for (const { sources } of list.getEntries() as (PerformanceEntry & { sources: { node: Node | null }[] })[])
        for (const { node } of sources)
          if (node?.parentElement?.closest('#tools') && !node.parentElement.closest('[role=group]'))
            shifts.push(node.textContent ?? '');
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await open('/?q=cross-peen');
  await cardOf(page, /^Cross-peen/).waitFor();
  await page.waitForFunction(() => (window as unknown as { seen: string[] }).seen.length > 0);
  const recorded = await page.evaluate(() => {
    const { seen, shifts } = window as unknown as { seen: string[]; shifts: string[] };
    return { seen: [...new Set(seen)], shifts };
  });
  expect(recorded).toEqual({ seen: ['Cross-peen hammer, 500 g'], shifts: [] });
});

test('text that is typed into the search field before the scripts load is kept and searched', async () => {
  const { page } = fixture;
  const scripts = await holdRequests(page, /\/assets\/.*\.js$/, 'GET');
  await page.goto('/', { waitUntil: 'commit' });
  await searchField(page).pressSequentially('cross-peen');
  scripts.release();
  await expectEventually(() => readNames(page), ['Cross-peen hammer, 500 g']);
  expect(await searchField(page).inputValue()).toBe('cross-peen');
});

test('without scripts, all tools and more reviews are listed, tools can be opened, and no search box is shown', async () => {
  const { context, page } = await newVisitor(fixture.browser, shop.origin, { ...PHONE, javaScriptEnabled: false });
  await page.goto('/?q=cross-peen');
  expect(await cards(page).count()).toBeGreaterThan(20);
  expect(await searchField(page).isVisible()).toBe(false);
  const card = cards(page).first();
  expect(await page.locator('#reviews li:visible').count()).toBe(12);
  expect(await measureHorizontalOverflow(page)).toBe(0);
  await card.getByText('More', { exact: true }).click();
  await page.getByRole('link', { name: /^Enlarge the picture/ }).click();
  await page.waitForURL('**/images/tools/*');
  await context.close();
});
