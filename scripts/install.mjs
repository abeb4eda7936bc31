import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST = [20, 19];

function requireNode() {
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
async function install(folder, what, note) {
  requireNode();
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const machine = `${process.platform}-${process.arch}`;
  const wanted = createHash('sha256').update(lock).update(machine).digest('hex');
  const stampFile = join(folder, 'node_modules', '.forgeline');
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : [];
  // Who has what writing needs keeps it when a start brings it up to date.
  const kind = stamp[1] === 'all' ? 'all' : what;
  if (stamp[0] === wanted && stamp[1] === kind) return;
  process.stderr.write(`${note}\n`);
  const kinds = kind === 'all' ? ['--include=dev', '--include=optional'] : ['--omit=dev', '--include=optional'];
  const args = ['ci', '--include=prod', ...kinds, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const run = spawn(npm, args, { cwd: folder, stdio: ['ignore', 2, 2], shell });
  const [status] = await once(run, 'close').catch(() => [1]);
  if (status !== 0)
    end('npm could not install what is needed: its message stands above. Check the connection and try again.');
  dropSourceMaps(join(folder, 'node_modules'));
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${wanted} ${kind}`);
}

export const installShop = () => install(root, 'shop', 'Installing what the shop needs (once, about a minute)…');
export const installForWriting = () =>
  install(root, 'all', 'Installing what writing and testing need (once, about a minute)…');
export const installAll = () =>
  Promise.all([
    installForWriting(),
    install(join(root, '__tests__'), 'all', 'Installing the browser driver and other tools of the tests (once)…'),
  ]);
