import { brotliCompressSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { shopOrigin } from '../../support/api';
import { browserFixture } from '../../support/browser';
import { waitUntilInteractive } from '../../support/session';

const fixture = browserFixture();
const PUBLIC = ['/blogs', '/about', '/login', '/signup', '/nowhere'];
/** Where someone signs in, the identity's script may come. */
const GATES = ['/login', '/signup'];
const PAYMENT = /stripe|\/payment\./;
const IDENTITY = /firebase|googleapis/;

interface Fetched {
  url: string;
  kind: string;
  response: Response;
  /** Asked for before the page could be pressed. */
  early: boolean;
}

const isScript = ({ kind }: Fetched) => kind === 'script';

async function sizeOf(response: Response) {
  const body = await response.body();
  return response.request().resourceType() === 'font' ? body.length : brotliCompressSync(body).length;
}

async function bytes(list: Fetched[]): Promise<number> {
  const sizes = await Promise.all(list.map(({ response }) => sizeOf(response)));
  return sizes.reduce((total, size) => total + size, 0);
}

/** By the page's own clock: what is told of it here may come in another order. */
const askedFirst = (page: Page) =>
  page.evaluate(() => {
    const { startTime: alive } = performance.getEntriesByName('hydrated')[0]!;
    const asked = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < alive);
    return asked.map(({ name }) => name);
  });

/** Opens a page and lists what it fetched of the shop until it had nothing left to do. */
async function open(page: Page, path: string): Promise<Fetched[]> {
  const answers: Response[] = [];
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    window.addEventListener('hydrated', () => performance.mark('hydrated'));
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  page.on('response', (response) => answers.push(response));
  await page.goto(path);
  await waitUntilInteractive(page);
  if (path === '/') await page.locator('.swiper-initialized').waitFor();
  await page.waitForLoadState('networkidle');
  const own = answers.filter((response) => response.url().startsWith('http'));
  const first = await askedFirst(page);
  return own.map((response) => {
    const [url, kind] = [response.url(), response.request().resourceType()];
    return { url, kind, response, early: first.includes(url) };
  });
}

const shifts = (page: Page) => page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);

/** Opens a page on which no vendor, no shift and no warning may be, and one small font must. */
async function openPlain(path: string): Promise<Fetched[]> {
  const { page, visitor } = fixture;
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  const fetched = await open(page, path);
  expect(visitor.requests.filter((url) => PAYMENT.test(url) || !url.startsWith(shopOrigin()))).toEqual([]);
  if (!GATES.includes(path)) expect(visitor.requests.filter((url) => IDENTITY.test(url))).toEqual([]);
  const fonts = fetched.filter(({ kind }) => kind === 'font');
  expect(fonts).not.toEqual([]);
  expect(await bytes(fonts)).toBeLessThanOrEqual(25_000);
  expect(await shifts(page)).toEqual([]);
  expect(warnings).toEqual([]);
  expect(await page.locator('main').count()).toBe(1);
  return fetched;
}

test('the home page is pressed after 120,000 bytes of script in few files, and is whole after 42,000 more', async () => {
  const fetched = await openPlain('/');
  const scripts = fetched.filter(isScript);
  const early = scripts.filter((script) => script.early);
  const later = scripts.filter((script) => !script.early);
  expect(early.length).toBeGreaterThan(0);
  expect(later.map(({ url }) => url)).toContainEqual(expect.stringContaining('/swiper.'));
  expect(early.length).toBeLessThanOrEqual(6);
  expect(await bytes(early)).toBeLessThanOrEqual(120_000);
  expect(later.length).toBeLessThanOrEqual(10);
  expect(await bytes(later)).toBeLessThanOrEqual(42_000);
});

// Clauses A.2.2, A.2.3, A.2.4, A.2.5, A.6.1, C.1.3
test.each(PUBLIC)('%s: no vendor, one small font, nothing that moves, no complaint', async (path) => {
  await openPlain(path);
});

test('every picture of the home page has its box before it comes', async () => {
  const { page } = fixture;
  await page.route('**/images/**', () => undefined);
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  const boxes = await page.locator('main img').evaluateAll((all) =>
    all.map((img) => ({
      sized: img.hasAttribute('width') && img.hasAttribute('height'),
      alt: img.hasAttribute('alt'),
    })),
  );
  expect(boxes.length).toBeGreaterThan(4);
  expect(boxes.filter(({ sized, alt }) => !sized || !alt)).toEqual([]);
});

/** Decodes what each element has behind it; answers their sizes. */
const backgrounds = (all: Element[]) =>
  Promise.all(
    all.map(async (element) => {
      const picture = new Image();
      picture.src = getComputedStyle(element).backgroundImage.replace(/^url\("(.*)"\)$/, '$1');
      await picture.decode();
      return [picture.src.split(',')[0], picture.naturalWidth];
    }),
  );

test('until a wide picture comes, a tiny blurred one stands in its place', async () => {
  const { page } = fixture;
  await page.route('**/images/**', () => undefined);
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  const tiny = ['data:image/webp;base64', 16];
  const slide = page.locator('.swiper-slide > :first-child');
  await slide.last().waitFor({ state: 'attached' });
  expect(await slide.evaluateAll(backgrounds)).toEqual([tiny, tiny, tiny, tiny]);
  const closing = page.locator('main div:has(> picture > img[src*="closing"])');
  await closing.waitFor({ state: 'attached' });
  expect(await closing.evaluateAll(backgrounds)).toEqual([tiny]);
});

test('whoever points at a link has its page at hand', async () => {
  const { page, visitor } = fixture;
  await page.goto('/', { waitUntil: 'networkidle' });
  await waitUntilInteractive(page);
  const asked = (part: string) => visitor.requests.filter((url) => url.includes(`/assets/${part}.`)).length;
  expect([asked('blog'), asked('purchase')]).toEqual([0, 0]);
  const arrives = (part: string) => page.waitForResponse((response) => response.url().includes(`/assets/${part}.`));
  await Promise.all([arrives('blog'), page.getByRole('link', { name: 'Blogs' }).hover()]);
  await Promise.all([arrives('purchase'), page.getByRole('link', { name: 'Purchase' }).first().focus()]);
  expect([asked('blog'), asked('purchase')]).toEqual([1, 1]);
});
