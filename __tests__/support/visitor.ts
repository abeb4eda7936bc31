import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Everything asked for so far, by address. */
  requests: string[];
  /** What went wrong without anybody seeing it. */
  troubles: string[];
  /** What the test itself brings about. */
  forgiven: RegExp[];
}

const EXPECTED = /Failed to load resource: the server responded with a status of (4|5)\d\d/;

/** What one holds in a hand. */
export const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };

/** A person with a browser of their own. */
export async function newVisitor(
  browser: Browser,
  origin: string,
  device: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: origin, ...device });
  context.setDefaultTimeout(30_000);
  const requests: string[] = [];
  const troubles: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('weberror', (error) => troubles.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) troubles.push(message.text());
  });
  return { context, page: await context.newPage(), requests, troubles, forgiven: [] };
}

/** A trouble that the test brings about, whenever the page tells of it. Any other still fails the test. */
export const forgive = ({ forgiven }: Visitor, trouble: RegExp) => void forgiven.push(trouble);

export const unforgiven = ({ troubles, forgiven }: Visitor) =>
  troubles.filter((trouble) => !forgiven.some((known) => known.test(trouble)));

/** A part of the page that does not come. */
export const PART_LOST = /^ChunkLoadError: Loading chunk \d+ failed|net::ERR_FAILED/;

/** The driver drops a call, or the network is off. */
export const NO_ANSWER = /net::ERR_(FAILED|INTERNET_DISCONNECTED|CONNECTION_RESET)/;

export const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'));

/** Fills a form by the labels that a person reads. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}
