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

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
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
 * Chromium uses the last list only, so this repeats the driver's own. It adds the two pages of the address bar's pop-up,
 * which are drawn for every new window and cost more than most of our pages.
 */
const FEATURES_OFF = [
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

function installed(): string | undefined {
  const given = process.env['CHROMIUM'];
  if (given) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** A host name that is not loopback: plain http under it is no secure context. */
const ON_THE_NETWORK = 'shop.test';

const loopbackOnly = `--host-resolver-rules=MAP ${ON_THE_NETWORK} 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1`;
const featuresOff = `--disable-features=${FEATURES_OFF.join(',')}`;
const options = () => ({ executablePath: installed(), args: [...FLAGS, loopbackOnly, featuresOff] });

/** The machine's Chromium, or the one that the driver installed. Only loopback resolves in it. */
export const serveBrowser = () => chromium.launchServer(options());

/** The Chromium that the run shares. Closing it closes only the windows that were opened through this connection. */
export const openBrowser = (): Promise<Browser> => chromium.connect(process.env['BROWSER_ENDPOINT']!);

/** For tests that need a browser process of their own. */
export const openOwnBrowser = (): Promise<Browser> => chromium.launch(options());

export const networkOrigin = (origin: string) => `http://${ON_THE_NETWORK}:${new URL(origin).port}`;

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** The URL of every request so far. */
  requests: string[];
  /** Errors that no person would see: exceptions and console errors. */
  troubles: string[];
  /** Errors that the test causes. */
  forgiven: RegExp[];
}

const EXPECTED = /Failed to load resource: the server responded with a status of (4|5)\d\d/;

export const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };

/** A browser context with one page, which records its requests and errors. */
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

/** Allows an error that the test causes, whenever it is reported. Any other error still fails the test. */
export const allowError = ({ forgiven }: Visitor, trouble: RegExp) => void forgiven.push(trouble);

export const unexpectedErrors = ({ troubles, forgiven }: Visitor) =>
  troubles.filter((trouble) => !forgiven.some((known) => known.test(trouble)));

/** A chunk that fails to load. */
export const CHUNK_LOST = /^ChunkLoadError: Loading chunk \d+ failed|net::ERR_FAILED/;

/** The driver drops a request, or the network is off. */
export const NO_ANSWER = /net::ERR_(FAILED|INTERNET_DISCONNECTED|CONNECTION_RESET)/;

export const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'));

/** Fills a form by the labels that a person reads. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}

interface BrowserFixture {
  browser: Browser;
  visitor: Visitor;
  page: Page;
}

function openFixture(): BrowserFixture {
  const fixture = {} as BrowserFixture;
  beforeAll(async () => void (fixture.browser = await openBrowser()));
  afterAll(() => fixture.browser.close());
  return fixture;
}

async function openVisitor(
  fixture: BrowserFixture,
  origin = shopOrigin(),
  device?: BrowserContextOptions,
): Promise<void> {
  fixture.visitor = await newVisitor(fixture.browser, origin, device);
  fixture.page = fixture.visitor.page;
}

/** A browser for the file and a new visitor for each test. An error that no person would see fails the test. */
export function browserFixture(origin?: () => string, device?: BrowserContextOptions): BrowserFixture {
  const fixture = openFixture();
  beforeEach(() => openVisitor(fixture, origin?.(), device));
  afterEach(async () => {
    await fixture.visitor.context.close();
    expect(unexpectedErrors(fixture.visitor)).toEqual([]);
  });
  return fixture;
}

/** One visitor for all tests of the file, which must not depend on each other. */
export function sharedBrowserFixture(): BrowserFixture {
  const fixture = openFixture();
  beforeAll(() => openVisitor(fixture));
  afterEach(() => expect(fixture.visitor.troubles.splice(0)).toEqual([]));
  return fixture;
}

/** Holds these calls back until they are released. */
export async function holdRequests(page: Page, calls: string | RegExp, method = 'POST') {
  let letGo = () => {};
  let asked = 0;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(calls, async (route) => {
    if (route.request().method() !== method || route.request().resourceType() === 'document') return route.fallback();
    asked += 1;
    await gate;
    await route.continue().catch(() => undefined);
  });
  return { letGo, asked: () => asked };
}

const A_MINUTE_MS = 60_000;

/** Stops the page's clock after `clock.install`: from here on only `clock.fastForward` moves it. */
export const stopTime = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + A_MINUTE_MS);

/** Scrolls a list that grows, until it contains this. */
export const scrollUntilPresent = (target: Locator) =>
  waitUntil(async () => {
    await target.page().evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    return (await target.count()) > 0;
  });

/** Sends the event of a window that comes to the front. */
export const focusWindow = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('focus')));

/** Presses what makes a window close itself. The answer to the press may be lost with the window. */
export async function expectToClose(popup: Page, press: () => Promise<unknown>): Promise<void> {
  const closed = popup.waitForEvent('close');
  const pressed = press().catch((error: Error) => {
    if (!error.message.includes('has been closed')) throw error;
  });
  await Promise.all([closed, pressed]);
}

/** Waits for the script of the local account chooser. */
export const waitUntilChooserInteractive = (chooser: Page) =>
  chooser.getByRole('button', { name: 'Continue' }).and(chooser.locator(':enabled')).waitFor();
