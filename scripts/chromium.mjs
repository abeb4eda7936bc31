import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createRequire } from 'node:module';
import { end, root } from './install.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** What a browser that is driven needs: no sandbox under root, and no talk with its maker. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
const quiet = { stdio: ['ignore', 2, 2] };

const onPath = (names) =>
  names
    .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find(existsSync);

const driver = () => createRequire(join(root, '__tests__/package.json'))('playwright-core').chromium;

function own() {
  const path = driver().executablePath();
  return existsSync(path) ? path : undefined;
}

const find = () => process.env.CHROMIUM || onPath(NAMES) || own();

/** The machine's own package where we may install one, else the driver's download. */
function install() {
  process.stderr.write('Installing Chromium for the browser tests (once)…\n');
  if (process.getuid?.() === 0 && onPath(['apt-get'])) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { ...quiet, env });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { ...quiet, env });
  }
  if (find()) return;
  spawnSync(
    process.execPath,
    [join(root, '__tests__/node_modules/playwright-core/cli.js'), 'install', 'chromium'],
    quiet,
  );
}

/** The browser that the tests drive, found or installed. */
export function ensureChromium() {
  if (!find()) install();
  const path = find();
  if (!path)
    end('No Chromium was found or could be installed for the browser tests: install one, or name it in CHROMIUM.');
  return path;
}

/** Driven by the tests' own driver. */
export const openChromium = () => driver().launch({ executablePath: ensureChromium(), args: FLAGS });

/** One person's own browser, which remembers in `profile`: one without would fetch the shop's icon anew for every page. */
export const openOwnChromium = (profile, look) =>
  driver().launchPersistentContext(profile, { executablePath: ensureChromium(), args: FLAGS, ...look });
