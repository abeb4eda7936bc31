import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MINIMUM_NODE = [20, 19];

function requireSupportedNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  exitWithMessage(
    `Forgeline needs Node.js ${MINIMUM_NODE.join('.')} or newer. This is Node.js ${process.versions.node}.`,
  );
}

export function exitWithMessage(sentence, code = 1) {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const shell = process.platform === 'win32';

/** Deletes the packages' source maps, because nothing reads them and they are a quarter of the installed bytes. */
function dropSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) dropSourceMaps(path);
    else if (/\.(js|cjs|mjs|ts|cts|mts|css)\.map$/.test(entry.name)) rmSync(path);
  }
}

/**
 * The scope `shop` means the packages with which the shop is built and runs. The scope `all` adds those for development
 * and tests.
 */
async function install(folder, scope, message) {
  requireSupportedNode();
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const machine = `${process.platform}-${process.arch}`;
  const fingerprint = createHash('sha256').update(lock).update(machine).digest('hex');
  const stampFile = join(folder, 'node_modules', '.forgeline');
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : [];
  // Keeps the larger scope, because an update by `npm start` must not remove the packages for development.
  const chosenScope = stamp[1] === 'all' ? 'all' : scope;
  if (stamp[0] === fingerprint && stamp[1] === chosenScope) return;
  process.stderr.write(`${message}\n`);
  const includes =
    chosenScope === 'all' ? ['--include=dev', '--include=optional'] : ['--omit=dev', '--include=optional'];
  const args = ['ci', '--include=prod', ...includes, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const child = spawn(npm, args, { cwd: folder, stdio: ['ignore', 2, 2], shell });
  const [status] = await once(child, 'close').catch(() => [1]);
  if (status !== 0)
    exitWithMessage('npm could not install the packages. See its message above. Check the connection and try again.');
  dropSourceMaps(join(folder, 'node_modules'));
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${fingerprint} ${chosenScope}`);
}

export const installShop = () =>
  install(root, 'shop', 'Installing the packages of the shop (once; it can take some minutes)…');
export const installForDevelopment = () =>
  install(root, 'all', 'Installing the packages for development and tests (once; it can take some minutes)…');
/** Installs the large packages that the shop itself never uses, such as the browser driver and the mail server. */
export const installTestTools = () =>
  install(join(root, '__tests__'), 'all', 'Installing the browser driver and other test tools (once)…');
export const installAll = () => Promise.all([installForDevelopment(), installTestTools()]);
