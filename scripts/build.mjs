import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { findBudgetViolations } from './budget.mjs';
import { exitWithMessage, installShop, root } from './install.mjs';

const require = createRequire(import.meta.url);
const dist = join(root, 'dist');
const stampFile = join(dist, 'stamp');
const lockFile = join(dist, 'building');
const INPUTS = [
  'src',
  'server',
  'embedded',
  'public',
  'webpack.config.ts',
  'tsconfig.json',
  'package-lock.json',
  'scripts/budget.mjs',
  'scripts/build.mjs',
  'scripts/styledTransformer.ts',
];

/** Lists the files below a path, without the `tests` folders of the embedded services. */
function* filesOf(path) {
  if (statSync(path).isFile()) return yield path;
  for (const entry of readdirSync(path).sort()) if (entry !== 'tests') yield* filesOf(join(path, entry));
}

/** The fingerprint covers the name, size and modification time of every input file. */
export function computeFingerprint(folder = root, inputs = INPUTS) {
  const hash = createHash('sha256');
  for (const input of inputs)
    for (const file of filesOf(join(folder, input))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${relative(folder, file)} ${size} ${mtimeMs}\n`);
    }
  return hash.digest('hex');
}

export function loadWebpackConfig(mode) {
  require('ts-node').register({ project: join(root, 'tsconfig.json') });
  return require('../webpack.config.ts').default({}, { mode });
}

async function runWebpack() {
  const webpack = require('webpack');
  const compiler = webpack(loadWebpackConfig('production'));
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  if (stats.hasErrors()) exitWithMessage(stats.toString({ preset: 'errors-only', colors: false }));
  if (stats.hasWarnings()) process.stderr.write(`${stats.toString({ all: false, warnings: true })}\n`);
}

const COMPRESSIBLE = /\.(js|css|svg|json|txt|webmanifest|xml)$/;
const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

async function compressFile(file) {
  const body = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const [br, gz] = await Promise.all([brotliAsync(body, { params }), gzipAsync(body, { level: 9 })]);
  if (br.length < body.length) writeFileSync(`${file}.br`, br);
  if (gz.length < body.length) writeFileSync(`${file}.gz`, gz);
}

/** Keeps the chunks of this build and of the previous one, because customers may have pages of that build open. */
export function deleteOldChunks(current, client = join(dist, 'client')) {
  const folders = [join(client, 'assets'), join(client, '../maps')].filter((folder) => existsSync(folder));
  const historyFile = join(client, 'history.json');
  const history = existsSync(historyFile) ? JSON.parse(readFileSync(historyFile, 'utf8')) : [];
  const changed = JSON.stringify(history[0]) !== JSON.stringify(current);
  const kept = changed ? [current, ...history.slice(0, 1)] : history;
  writeFileSync(historyFile, JSON.stringify(kept));
  const names = new Set(kept.flat());
  for (const folder of folders)
    for (const name of readdirSync(folder))
      if (!names.has(name.replace(/\.(br|gz|map)$/, ''))) rmSync(join(folder, name));
}

async function compressAll(folders) {
  const files = folders.flatMap((folder) => [...filesOf(folder)]).filter((file) => COMPRESSIBLE.test(file));
  await Promise.all(files.filter((file) => !existsSync(`${file}.br`)).map(compressFile));
}

const publicCopy = join(dist, 'client/public');

/** Copies the folder, because the compressed files must not be written among the sources. */
export function copyPublicFolder() {
  rmSync(publicCopy, { recursive: true, force: true });
  cpSync(join(root, 'public'), publicCopy, { recursive: true });
}

function readTransferSize(name) {
  const file = join(dist, 'client/assets', name);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

/** Makes the next start build the shop again, because `dist` no longer contains a production build. */
export const invalidateBuild = () => rmSync(stampFile, { force: true });

/** Whether `dist` contains a production build, of whatever sources. */
export const hasBuild = () => existsSync(stampFile);

const isFresh = (fingerprint) => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint;
const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const DIST_NOT_WRITABLE =
  'The build is out of date, and this user cannot write to dist. Run "npm run build" as the owner of that folder.';

/**
 * Lets only one build run at a time, because two would overwrite each other's files. A build that has waited usually
 * finds nothing to do.
 */
async function withBuildLock(work) {
  for (let retries = 0; ; retries++) {
    try {
      mkdirSync(dist, { recursive: true });
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) exitWithMessage(DIST_NOT_WRITABLE);
      if (error.code !== 'EEXIST') throw error;
      const pid = Number(existsSync(lockFile) && readFileSync(lockFile, 'utf8'));
      if (retries === 10)
        process.stderr.write(`Waiting for process ${pid}, which is building the shop (see dist/building)…\n`);
      if (pid && !isAlive(pid)) rmSync(lockFile, { force: true });
      else await setTimeout(200);
    }
  }
  process.on('exit', () => rmSync(lockFile, { force: true }));
  await work().finally(() => rmSync(lockFile, { force: true }));
}

export const buildIfStale = async () => {
  if (!isFresh(computeFingerprint())) await withBuildLock(build);
};

async function build() {
  const fingerprint = computeFingerprint();
  if (isFresh(fingerprint)) return;
  process.stderr.write('Building the shop…\n');
  invalidateBuild();
  await runWebpack();
  const manifest = JSON.parse(readFileSync(join(dist, 'client/manifest.json'), 'utf8'));
  deleteOldChunks(manifest.all);
  copyPublicFolder();
  await compressAll([join(dist, 'client/assets'), publicCopy]);
  const violations = findBudgetViolations(manifest, readTransferSize);
  if (violations.length > 0) exitWithMessage(violations.join('\n'));
  writeFileSync(stampFile, fingerprint);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await installShop();
  await buildIfStale();
}
