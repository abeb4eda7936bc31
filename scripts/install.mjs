import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST = [20, 19];

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  end(`Forgeline needs Node.js ${OLDEST.join('.')} or newer; this is ${process.versions.node}.`);
}

export function end(sentence, code = 1) {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const shell = process.platform === 'win32';

/** A quarter of what is installed are source maps of packages, which nothing here reads. */
function dropSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) dropSourceMaps(path);
    else if (/\.(js|cjs|mjs|ts|cts|mts|css)\.map$/.test(entry.name)) rmSync(path);
  }
}

/** `what`: 'shop' is what running needs, 'all' adds what writing and testing need. All of it contains the shop's. */
function install(folder, what, note) {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  const stampFile = join(folder, 'node_modules', '.forgeline');
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : [];
  if (stamp[0] === wanted && (stamp[1] === 'all' || stamp[1] === what)) return;
  process.stderr.write(`${note}\n`);
  const kinds = what === 'all' ? ['--include=dev', '--include=optional'] : ['--omit=dev', '--include=optional'];
  const { status } = spawnSync(
    npm,
    ['ci', '--include=prod', ...kinds, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      shell,
    },
  );
  if (status !== 0)
    end('npm could not install what is needed: its message stands above. Check the connection and try again.');
  dropSourceMaps(join(folder, 'node_modules'));
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${wanted} ${what}`);
}

export const installShop = () => install(root, 'shop', 'Installing what the shop needs (once, about a minute)…');
export function installAll() {
  install(root, 'all', 'Installing what writing and testing need (once, about a minute)…');
  install(join(root, '__tests__'), 'all', 'Installing the browser driver and other tools of the tests (once)…');
}
export const installForWriting = () => install(root, 'all', 'Installing what writing and testing need (once)…');
