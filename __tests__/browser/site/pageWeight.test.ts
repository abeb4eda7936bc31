import { brotliCompressSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { shopOrigin } from '../../support/api';
import { browserFixture } from '../../support/browser';
import { waitUntilInteractive } from '../../support/session';
import { measureLayoutShift } from '../../support/assertions';

const fixture = browserFixture();
const PUBLIC_PATHS = ['/blogs', '/about', '/login', '/signup', '/nowhere'];
/** On these pages, the identity provider's script may load. */
const AUTH_PATHS = ['/login', '/signup'];
const PAYMENT_URL = /stripe|\/payment\./;
const IDENTITY_URL = /firebase|googleapis/;

interface FetchedResource {
  url: string;
  kind: string;
  response: Response;
  /** Whether the request was sent before the page was hydrated. */
  isEarly: boolean;
}

const isScript = ({ kind }: FetchedResource) => kind === 'script';

async function sizeOf(response: Response) {
  const body = await response.body();
  return response.request().resourceType() === 'font' ? body.length : brotliCompressSync(body).length;
}

async function totalBytes(list: FetchedResource[]): Promise<number> {
  const sizes = await Promise.all(list.map(({ response }) => sizeOf(response)));
  return sizes.reduce((total, size) => total + size, 0);
}

/** Uses the page's own clock, because Playwright may report the events in a different order. */
const urlsBeforeHydration = (page: Page) =>
  page.evaluate(() => {
    const { startTime: hydratedAt } = performance.getEntriesByName('hydrated')[0]!;
    const early = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < hydratedAt);
    return early.map(({ name }) => name);
  });

/** Opens a page and lists what it fetched until the network was idle. */
async function open(page: Page, path: string): Promise<FetchedResource[]> {
  const responses: Response[] = [];
  await page.addInitScript(() => window.addEventListener('hydrated', () => performance.mark('hydrated')));
  page.on('response', (response) => responses.push(response));
  await page.goto(path);
  await waitUntilInteractive(page);
  if (path === '/') await page.locator('.swiper-initialized').waitFor();
  await page.waitForLoadState('networkidle');
  const httpResponses = responses.filter((response) => response.url().startsWith('http'));
  const earlyUrls = await urlsBeforeHydration(page);
  return httpResponses.map((response) => {
    const [url, kind] = [response.url(), response.request().resourceType()];
    return { url, kind, response, isEarly: earlyUrls.includes(url) };
  });
}

/**
 * Opens a page and expects no payment script, nothing from other origins, no warning, small fonts, and that nothing
 * moves.
 */
async function openWithoutVendors(path: string): Promise<FetchedResource[]> {
  const { page, visitor } = fixture;
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  const fetched = await open(page, path);
  expect(visitor.requests.filter((url) => PAYMENT_URL.test(url) || !url.startsWith(shopOrigin()))).toEqual([]);
  if (!AUTH_PATHS.includes(path)) expect(visitor.requests.filter((url) => IDENTITY_URL.test(url))).toEqual([]);
  const fonts = fetched.filter(({ kind }) => kind === 'font');
  expect(fonts).not.toEqual([]);
  expect(await totalBytes(fonts)).toBeLessThanOrEqual(45_000);
  expect(await measureLayoutShift(page)).toBeLessThanOrEqual(0.01);
  expect(warnings).toEqual([]);
  expect(await page.locator('main').count()).toBe(1);
  return fetched;
}

test('the home page loads at most 120,000 bytes of script to hydrate, and afterwards at most 49,000 bytes', async () => {
  const fetched = await openWithoutVendors('/');
  const scripts = fetched.filter(isScript);
  const earlyScripts = scripts.filter(({ isEarly }) => isEarly);
  const lateScripts = scripts.filter(({ isEarly }) => !isEarly);
  expect(earlyScripts.length).toBeGreaterThan(0);
  expect(lateScripts.map(({ url }) => url)).toContainEqual(expect.stringContaining('/swiper.'));
  expect(earlyScripts.length).toBeLessThanOrEqual(6);
  expect(await totalBytes(earlyScripts)).toBeLessThanOrEqual(120_000);
  expect(lateScripts.length).toBeLessThanOrEqual(10);
  expect(await totalBytes(lateScripts)).toBeLessThanOrEqual(49_000);
});

// Clauses A.2.2, A.2.3, A.2.4, A.2.5, A.6.1, C.1.3
test.each(PUBLIC_PATHS)(
  'the page %s loads nothing from other origins and at most 45,000 bytes of fonts, without layout shifts or warnings',
  async (path) => {
    await openWithoutVendors(path);
  },
);

test('hovering or focusing a link prefetches its page', async () => {
  const { page, visitor } = fixture;
  await page.goto('/', { waitUntil: 'networkidle' });
  await waitUntilInteractive(page);
  const countRequests = (chunk: string) => visitor.requests.filter((url) => url.includes(`/assets/${chunk}.`)).length;
  expect([countRequests('blog'), countRequests('purchase')]).toEqual([0, 0]);
  const waitForChunk = (chunk: string) =>
    page.waitForResponse((response) => response.url().includes(`/assets/${chunk}.`));
  await Promise.all([waitForChunk('blog'), page.getByRole('link', { name: 'Blogs' }).hover()]);
  await Promise.all([waitForChunk('purchase'), page.getByRole('link', { name: 'Purchase' }).first().focus()]);
  expect([countRequests('blog'), countRequests('purchase')]).toEqual([1, 1]);
});
