import type { Page } from 'playwright-core';
import type { Tool } from '../../../src/contract/entities';
import { removeInvisibleCharacters } from '../../../src/contract/displayName';
import { callShop } from '../../support/api';
import { measureHorizontalOverflow } from '../../support/assertions';
import { newVisitor, storedToken, browserFixture } from '../../support/browser';
import { signInAsDemoUser } from '../../support/session';
import { expectEventually } from '../../support/wait';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { ODD_TEXTS, XSS_VECTORS } from '../../support/hostileInput';
import { startServer, type RunningServer } from '../../support/server';

let database: TestDatabase;
let shop: RunningServer;
let page: Page;
/** What scripts in texts did on all pages of the test. */
let scriptEvents: string[];
afterEach(() => expect(scriptEvents).toEqual([]));
const fixture = browserFixture(() => shop.origin);

const LONG_WORD = 'W'.repeat(2000);
const TEXTS = [...XSS_VECTORS, ...Object.values(ODD_TEXTS), LONG_WORD];
const IMAGE_VECTOR = '<img src=x onerror=alert(1)>';
const PICTURE = '/images/placeholder.svg';
const HAMMER_PICTURE = '/images/tools/claw-hammer.svg';

beforeAll(async () => {
  database = await createTestDatabase();
  shop = await startServer({ DATABASE_URL: database.url, DEMO: 'on', RATE_LIMIT: 'off' });
  const admin = await newVisitor(fixture.browser, shop.origin);
  await signInAsDemoUser(admin.page, 'admin', shop.origin);
  const reviews = TEXTS.map((description) => ({ description, ratings: 5, img: PICTURE }));
  await post('/review', reviews, admin.page);
  await post('/tool', TEXTS.map(toolOf), admin.page);
  await admin.context.close();
});
afterAll(async () => {
  await shop.stop();
  await database.drop();
});
beforeEach(async () => {
  page = fixture.page;
  scriptEvents = [];
  await page.exposeFunction('report', (event: string) => void scriptEvents.push(event));
  await page.addInitScript(() => {
    const { report } = window as unknown as { report(event: string): void };
    window.alert = (text: unknown) => report(`ran: ${String(text)}`);
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      report(`blocked: ${violatedDirective} ${blockedURI}`),
    );
  });
});

const main = () => page.getByRole('main');
const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();

async function post(path: string, bodies: object[], signedInPage = page) {
  const token = (await storedToken(signedInPage))!;
  const responses = await Promise.all(
    bodies.map((body) => callShop(shop.origin, path, { method: 'POST', token, body })),
  );
  for (const { status } of responses) expect(status).toBe(201);
}

const toolOf = (text: string) => ({
  name: [...text].slice(0, 120).join(''),
  price: 1_000_000,
  minimumOrderQuantity: 1_000_000,
  availableQuantity: 1_000_000,
  description: text,
  img: PICTURE,
});

/** Scrolls down the incremental lists until all texts are shown. */
const expectAllShown = (selector: string, texts = TEXTS) =>
  expectEventually(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const shown = new Set((await page.locator(selector).allTextContents()).map(collapseSpaces));
    return texts.filter((text) => !shown.has(collapseSpaces(text)));
  }, []);

/** Finds cards that overflow the page, or whose text overflows them. Runs in the page. */
const overflowingCards = (cards: Element[]) =>
  cards
    .filter((card) => {
      const { left, right } = card.getBoundingClientRect();
      const texts = [...card.querySelectorAll('h3, p, blockquote')];
      return left < 0 || right > innerWidth || texts.some((text) => text.scrollWidth > text.clientWidth + 1);
    })
    .map((card) => card.textContent?.slice(0, 80));

// Clauses C.15.1, C.15.2
test('the home page shows reviews and tools as text, even if they contain markup', async () => {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto('/');
  await expectAllShown('#tools li p');
  await page.getByRole('button', { name: 'All reviews' }).click();
  await expectAllShown('#reviews blockquote', TEXTS.map(removeInvisibleCharacters));
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await measureHorizontalOverflow(page)).toBe(0);
    expect(await page.locator('#tools li, #reviews li').evaluateAll(overflowingCards)).toEqual([]);
  }
});

test('the preview of a new tool loads no picture from an unsafe link', async () => {
  await signInAsDemoUser(page, 'admin', shop.origin);
  await page.goto('/dashboard/addproduct');
  const readPreviewSrc = () => page.locator('figure img').getAttribute('src');
  for (const link of ['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', '//evil.example/a.png']) {
    await main().locator('[name=img]').fill(HAMMER_PICTURE);
    await expectEventually(readPreviewSrc, HAMMER_PICTURE);
    await main().locator('[name=img]').fill(link);
    await expectEventually(readPreviewSrc, PICTURE);
  }
});

// Clause C.15.1
test('a tool name with markup is shown as text on the purchase page and in My Orders', async () => {
  await signInAsDemoUser(page, 'customer', shop.origin);
  const tools = (await callShop(shop.origin, '/tool')).body as unknown as Tool[];
  await page.setViewportSize({ width: 360, height: 800 });
  for (const text of [IMAGE_VECTOR, LONG_WORD]) {
    const { _id, name } = tools.find(({ description }) => description === text)!;
    await page.goto(`/purchase/${_id}`);
    await main().getByText(text, { exact: true }).last().waitFor();
    expect(await measureHorizontalOverflow(page)).toBe(0);
    await post('/order', [
      { productName: name, toolId: _id, totalQuantity: 7, address: text.slice(0, 300), phone: '555 0100' },
    ]);
    await page.goto('/dashboard/myorder');
    await main().getByText(name, { exact: true }).first().waitFor();
    expect(await measureHorizontalOverflow(page)).toBe(0);
  }
});
