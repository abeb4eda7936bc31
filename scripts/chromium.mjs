import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createRequire } from 'node:module';
import { exitWithMessage, root } from './install.mjs';

/** The first one has no window of its own to draw, so pages open in half the time (decision 027). */
const BINARIES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const DEBIAN_PACKAGES = ['chromium-headless-shell', 'chromium'];
/** Chromium's sandbox does not work as root, and background networking would contact Google. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
const toStderr = { stdio: ['ignore', 2, 2] };

const findOnPath = (names) =>
  names
    .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find(existsSync);

const loadDriver = () => createRequire(join(root, '__tests__/package.json'))('playwright-core').chromium;

function findDownloaded() {
  const path = loadDriver().executablePath();
  return existsSync(path) ? path : undefined;
}

const findInstalled = () => process.env.CHROMIUM || findOnPath(BINARIES) || findDownloaded();

function installDebianPackage() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const runAptGet = (...args) => spawnSync('apt-get', args, { ...toStderr, env }).status === 0;
  runAptGet('update', '-qq');
  DEBIAN_PACKAGES.some((name) => runAptGet('install', '-y', '-qq', '--no-install-recommends', name));
}

/** Installs Debian's package if this process may, or else downloads the browser driver's Chromium. */
function installChromium() {
  process.stderr.write('Installing Chromium for the browser tests (once)…\n');
  if (process.getuid?.() === 0 && findOnPath(['apt-get'])) installDebianPackage();
  if (findInstalled()) return;
  spawnSync(
    process.execPath,
    [join(root, '__tests__/node_modules/playwright-core/cli.js'), 'install', 'chromium'],
    toStderr,
  );
}

/** @returns the path of the browser for tests and benchmarks, which is installed if necessary */
export function ensureChromium() {
  if (!findInstalled()) installChromium();
  const path = findInstalled();
  if (!path)
    exitWithMessage(
      'The browser tests need Chromium, which could not be installed: install it, or set CHROMIUM to its path.',
    );
  return path;
}

export const launchChromium = () => loadDriver().launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS });

/** With a profile folder, Chromium caches the shop's icon instead of fetching it for every page. */
export const launchChromiumWithProfile = (profile, options) =>
  loadDriver().launchPersistentContext(profile, { executablePath: ensureChromium(), args: CHROMIUM_FLAGS, ...options });
