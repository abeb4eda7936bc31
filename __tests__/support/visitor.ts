import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Everything asked for so far, by address. */
  requests: string[];
  /** What went wrong without anybody seeing it. */
  troubles: string[];
}

const EXPECTED = /Failed to load resource: the server responded with a status of (4|5)\d\d/;

/** A person with a browser of their own. */
export async function newVisitor(browser: Browser, origin: string): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: origin });
  context.setDefaultTimeout(30_000);
  const requests: string[] = [];
  const troubles: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('weberror', (error) => troubles.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) troubles.push(message.text());
  });
  return { context, page: await context.newPage(), requests, troubles };
}

export const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'));

/** Fills a form by the labels that a person reads. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}
