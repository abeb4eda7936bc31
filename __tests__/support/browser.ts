import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

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

/** The Chromium of the run: whoever closes it closes the windows that they opened, and nobody else's. */
export const openBrowser = (): Promise<Browser> => chromium.connect(process.env['BROWSER_ENDPOINT']!);

/** For what one can only ask of a whole browser. */
export const openOwnBrowser = (): Promise<Browser> => chromium.launch(options());

export const shopOrigin = () => process.env['SHOP_ORIGIN']!;
export const networkOrigin = (origin: string) => `http://${ON_THE_NETWORK}:${new URL(origin).port}`;
