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
 * Chromium heeds the last list alone: the driver's own, and the two pages of the address bar's pop-up, which would
 * be drawn for every new window and cost more than most of our pages.
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

/** By this name a browser takes the shop for one on the network, which plain http does not make a secure page. */
const ON_THE_NETWORK = 'shop.test';

const loopbackOnly = `--host-resolver-rules=MAP ${ON_THE_NETWORK} 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1`;
const featuresOff = `--disable-features=${FEATURES_OFF.join(',')}`;
const options = () => ({ executablePath: installed(), args: [...FLAGS, loopbackOnly, featuresOff] });

/** Chromium as it is on the machine, or the one that the driver installed; nothing but loopback resolves in it. */
export const serveBrowser = () => chromium.launchServer(options());

/** The Chromium that the run shares. Closing it closes only the windows that were opened through this connection. */
export const openBrowser = (): Promise<Browser> => chromium.connect(process.env['BROWSER_ENDPOINT']!);

/** For what one can only ask of a whole browser. */
export const openOwnBrowser = (): Promise<Browser> => chromium.launch(options());

export const networkOrigin = (origin: string) => `http://${ON_THE_NETWORK}:${new URL(origin).port}`;

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
    expect(unforgiven(fixture.visitor)).toEqual([]);
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

/** The page's time, once it is `clock.install`ed, stands still from here on and moves by `clock.fastForward` alone. */
export const stopTime = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + A_MINUTE_MS);

/** Scrolls a list that grows, until it contains this. */
export const scrollUntilPresent = (target: Locator) =>
  waitUntil(async () => {
    await target.page().evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    return (await target.count()) > 0;
  });

/** As the browser tells a page that its window has come to the front. */
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
