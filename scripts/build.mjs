import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { overBudget } from './budget.mjs';
import { end, installShop, root } from './install.mjs';

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
  'scripts/styledNames.ts',
];

/** Without the tests that the embedded services have beside them. */
function* filesOf(path) {
  if (statSync(path).isFile()) return yield path;
  for (const entry of readdirSync(path).sort()) if (entry !== 'tests') yield* filesOf(join(path, entry));
}

/** Changes when any input does: name, size and time of each. */
export function fingerprint(folder = root, inputs = INPUTS) {
  const hash = createHash('sha256');
  for (const input of inputs)
    for (const file of filesOf(join(folder, input))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${relative(folder, file)} ${size} ${mtimeMs}\n`);
    }
  return hash.digest('hex');
}

export function webpackConfig(mode) {
  require('ts-node').register({ project: join(root, 'tsconfig.json') });
  return require('../webpack.config.ts').default({}, { mode });
}

async function bundle() {
  const webpack = require('webpack');
  const compiler = webpack(webpackConfig('production'));
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  if (stats.hasErrors()) end(stats.toString({ preset: 'errors-only', colors: false }));
  if (stats.hasWarnings()) process.stderr.write(`${stats.toString({ all: false, warnings: true })}\n`);
}

const COMPRESSIBLE = /\.(js|css|svg|json|txt|webmanifest|xml)$/;
const brotli = promisify(brotliCompress);
const pack = promisify(gzip);

async function compress(file) {
  const body = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const [br, gz] = await Promise.all([brotli(body, { params }), pack(body, { level: 9 })]);
  if (br.length < body.length) writeFileSync(`${file}.br`, br);
  if (gz.length < body.length) writeFileSync(`${file}.gz`, gz);
}

/** Keeps this build's parts and the one's before: someone may still have its pages open. */
export function forgetOldParts(current, client = join(dist, 'client')) {
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
  await Promise.all(files.filter((file) => !existsSync(`${file}.br`)).map(compress));
}

const publicCopy = join(dist, 'client/public');

/** Packed beside it, a file is sent short; the sources stay as they are. */
export function copyPublic() {
  rmSync(publicCopy, { recursive: true, force: true });
  cpSync(join(root, 'public'), publicCopy, { recursive: true });
}

function sentBytes(name) {
  const file = join(dist, 'client/assets', name);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

/** What is in dist is no production build any more: the next start makes one. */
export const forgetBuild = () => rmSync(stampFile, { force: true });

const isFresh = (wanted) => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted;
const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const NOT_OURS =
  'The build is older than the code, and this user may not write into dist: run "npm run build" as whoever owns the folder.';

/** Two builds at once would write over each other: the second waits, and mostly finds the work done. */
async function oneAtATime(work) {
  for (let waited = 0; ; waited++) {
    try {
      mkdirSync(dist, { recursive: true });
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) end(NOT_OURS);
      if (error.code !== 'EEXIST') throw error;
      const pid = Number(existsSync(lockFile) && readFileSync(lockFile, 'utf8'));
      if (waited === 10) process.stderr.write(`Waiting for the build of process ${pid}, as dist/building says…\n`);
      if (pid && !isAlive(pid)) rmSync(lockFile, { force: true });
      else await setTimeout(200);
    }
  }
  process.on('exit', () => rmSync(lockFile, { force: true }));
  await work().finally(() => rmSync(lockFile, { force: true }));
}

export const buildIfStale = async () => {
  if (!isFresh(fingerprint())) await oneAtATime(build);
};

async function build() {
  const wanted = fingerprint();
  if (isFresh(wanted)) return;
  process.stderr.write('Building the shop…\n');
  forgetBuild();
  await bundle();
  const manifest = JSON.parse(readFileSync(join(dist, 'client/manifest.json'), 'utf8'));
  forgetOldParts(manifest.all);
  copyPublic();
  await compressAll([join(dist, 'client/assets'), publicCopy]);
  const broken = overBudget(manifest, sentBytes);
  if (broken.length > 0) end(broken.join('\n'));
  writeFileSync(stampFile, wanted);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await installShop();
  await buildIfStale();
}
