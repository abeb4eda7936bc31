import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { shopOrigin } from './api';
import { waitUntil } from './wait';

const EXECUTABLES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Chromium uses only the last `--disable-features` option, so this list repeats the features that Playwright disables
 * (https://github.com/microsoft/playwright/issues/36658). The last two features would render a pop-up below the address
 * bar of every new window.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

function findChromium(): string | undefined {
  const configured = process.env['CHROMIUM'];
  if (configured) return configured;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return EXECUTABLES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** The host name `shop.test` is not loopback, so that plain http under it is not a secure context. */
const hostRules = ['MAP shop.test 127.0.0.1', 'MAP * ~NOTFOUND', 'EXCLUDE localhost', 'EXCLUDE 127.0.0.1'];
const hostResolverRules = `--host-resolver-rules=${hostRules.join(' , ')}`;
const disableFeatures = `--disable-features=${DISABLED_FEATURES.join(',')}`;
const launchOptions = () => ({ executablePath: findChromium(), args: [...FLAGS, hostResolverRules, disableFeatures] });

/** Starts the machine's Chromium, or the one that Playwright installed. All of its connections are to this machine. */
export const launchBrowserServer = () => chromium.launchServer(launchOptions());

/** Connects to the run's shared Chromium. Closing the connection closes only the windows opened through it. */
export const connectToBrowser = (): Promise<Browser> => chromium.connect(process.env['BROWSER_ENDPOINT']!);

interface Visitor {
  context: BrowserContext;
  page: Page;
  requests: string[];
  /** Exceptions and console errors of the page, without those about responses with an error status. */
  errors: string[];
  /** Errors that the test causes on purpose. Any other error fails the test. */
  allowedErrors: RegExp[];
}

/** Long enough for a machine that is busy, because it ends only waits that fail. */
const TIMEOUT_MS = 60_000;
const FAILED_RESPONSE = /Failed to load resource: the server responded with a status of (4|5)\d\d/;

export const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };

/** Opens a browser context with one page, and records its requests and errors. */
export async function newVisitor(
  browser: Browser,
  origin: string,
  device: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: origin, ...device });
  context.setDefaultTimeout(TIMEOUT_MS);
  const requests: string[] = [];
  const errors: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && !FAILED_RESPONSE.test(message.text())) errors.push(message.text());
  });
  return { context, page: await context.newPage(), requests, errors, allowedErrors: [] };
}

const unexpectedErrors = ({ errors, allowedErrors }: Visitor) =>
  errors.filter((error) => !allowedErrors.some((allowed) => allowed.test(error)));

/** Reported when Playwright aborts a request, or when the network is off. */
export const NETWORK_ERROR = /net::ERR_(FAILED|INTERNET_DISCONNECTED|CONNECTION_RESET)/;

export const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'));

export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}

interface BrowserFixture {
  browser: Browser;
  visitor: Visitor;
  page: Page;
}

/** Connects to the browser, and opens a new visitor for each test. An unexpected error on its pages fails the test. */
export function browserFixture(origin?: () => string, device?: BrowserContextOptions): BrowserFixture {
  const fixture = {} as BrowserFixture;
  beforeAll(async () => void (fixture.browser = await connectToBrowser()));
  afterAll(() => fixture.browser.close());
  beforeEach(async () => {
    fixture.visitor = await newVisitor(fixture.browser, origin?.() ?? shopOrigin(), device);
    fixture.page = fixture.visitor.page;
  });
  afterEach(async () => {
    await fixture.visitor.context.close();
    expect(unexpectedErrors(fixture.visitor)).toEqual([]);
  });
  return fixture;
}

/** Holds back the matching requests of the page's scripts until `release` is called. */
export async function holdRequests(page: Page, calls: string | RegExp, method = 'POST') {
  let release = () => {};
  let requestCount = 0;
  const gate = new Promise<void>((resolve) => (release = resolve));
  await page.route(calls, async (route) => {
    if (route.request().method() !== method || route.request().resourceType() === 'document') return route.fallback();
    requestCount += 1;
    await gate;
    await route.continue().catch(() => undefined);
  });
  return { release, countRequests: () => requestCount };
}

const MINUTE_MS = 60_000;

/** Sets the page's clock a minute ahead, and stops it until a test advances it. Needs `clock.install` before. */
export const pauseClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + MINUTE_MS);

/** Scrolls down an incremental list until it contains the target. */
export const scrollUntilPresent = (target: Locator) =>
  waitUntil(async () => {
    await target.page().evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    return (await target.count()) > 0;
  });

/** Simulates that the window returns to the foreground, which refetches the data of the page. */
export const dispatchWindowFocus = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('focus')));
