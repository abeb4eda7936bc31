import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { buildIfStale } from './build.mjs';
import { launchChromium } from './chromium.mjs';
import { exitWithMessage, installShop, installTestTools, root } from './install.mjs';

const USAGE =
  'Usage: npm run replay -- FILE           shows a saved session in the browser\n       npm run replay -- FILE --check   replays it in a browser without a window and compares the states';
const TYPES = {
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};
const CONFIG = {
  identity: { kind: 'embedded', projectId: 'replay', google: false },
  payments: { kind: 'sandbox', publishableKey: 'pk_test_replay' },
  demo: false,
  origin: 'http://127.0.0.1',
};
/** Longer than the pause before a page retries a chunk. */
const SETTLED_MS = 600;
const client = join(root, 'dist/client');

/** @returns the saved session, with a `notice` if another build recorded it */
function readSession(path, manifest) {
  if (!existsSync(path)) exitWithMessage(`There is no file ${path}.`);
  let session;
  try {
    session = JSON.parse(readFileSync(path, 'utf8'));
    if (session.format !== 1 || JSON.parse(session.payload).length === 0) throw new Error('not a saved session');
  } catch {
    exitWithMessage(`${path} is not a saved session with at least one step.`);
  }
  const isThisBuild = manifest.all.includes(`${session.build}.js`);
  return {
    ...session,
    ...(!isThisBuild && {
      notice: `Build ${session.build} recorded this session. This build is different, so pages may look different.`,
    }),
  };
}

const dataBlock = (id, value) =>
  `<script id="${id}" type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

function pageOf(session, { groups }) {
  const files = [...new Set(['react', 'store', 'main'].flatMap((name) => groups[name]))];
  const scripts = files.filter((file) => file.endsWith('.js')).map((file) => `<script src="/assets/${file}"></script>`);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"></head><body><div id="root"></div>' +
    dataBlock('app-config', CONFIG) +
    dataBlock('replay-file', session) +
    `${scripts.join('')}</body></html>`
  );
}

/** @returns the files of chunks that the customer's browser could not load, which the replay does not serve either */
const missingFiles = ({ payload }) =>
  JSON.parse(payload)
    .filter(({ type }) => type === 'page/chunkFailed')
    .map(({ chunk }) => `/assets/${chunk}.`);

/** Serves the built pages, but none of the shop's API. */
async function serve(session, manifest) {
  const page = pageOf(session, manifest);
  const missing = missingFiles(session);
  const server = createServer(({ url = '/' }, response) => {
    const path = normalize(new URL(url, CONFIG.origin).pathname);
    const type = TYPES[extname(path)];
    const file = join(client, path.startsWith('/assets/') ? path : join('public', path));
    if (!type) return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    if (!existsSync(file) || missing.some((name) => path.startsWith(name))) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

const goTo = (page, step) =>
  page
    .evaluate((index) => globalThis.replayTo(index), step)
    .then(() => page.locator(`[data-step="${step}"]`).waitFor())
    .then(() => page.waitForLoadState('networkidle'));

/** Reads the tree until it no longer changes, because chunks load and animations run after a step. */
async function readTree(page, requests) {
  let tree = await page.locator('main').ariaSnapshot();
  for (;;) {
    await page.waitForTimeout(SETTLED_MS);
    const next = await page.locator('main').ariaSnapshot();
    if (next === tree && requests.size === 0) return tree;
    tree = next;
  }
}

/** @returns the accessible tree of the page after each step, in the given order of steps */
async function readTrees(browser, origin, steps) {
  const page = await browser.newPage({ baseURL: origin, reducedMotion: 'reduce' });
  const requests = new Set();
  page.on('request', (request) => requests.add(request));
  for (const event of ['requestfinished', 'requestfailed']) page.on(event, (request) => requests.delete(request));
  await page.goto('/');
  await page.getByLabel('Replay').waitFor();
  const trees = new Map();
  for (const step of steps) {
    await goTo(page, step);
    trees.set(step, await readTree(page, requests));
  }
  const replayed = await page.evaluate(() => globalThis.replayed);
  await page.close();
  return { trees, replayed };
}

/** Replays forward and backward. If the trees differ, a page depends on more than the state. */
async function findDifference(origin) {
  const browser = await launchChromium();
  try {
    const { replayed } = await readTrees(browser, origin, []);
    const different = replayed.findIndex(({ isSame }) => !isSame);
    if (different >= 0) return `Step ${different + 1} (${replayed[different].action.type}) ends in a different state.`;
    const steps = replayed.map((_, index) => index);
    const forward = await readTrees(browser, origin, steps);
    const backward = await readTrees(browser, origin, [...steps].reverse());
    const step = steps.find((index) => forward.trees.get(index) !== backward.trees.get(index));
    if (step === undefined) return undefined;
    return `Step ${step + 1} (${replayed[step].action.type}) shows a different page after a step back:\n${forward.trees.get(step)}\n---\n${backward.trees.get(step)}`;
  } finally {
    await browser.close();
  }
}

const args = process.argv.slice(2);
const [path] = args.filter((arg) => !arg.startsWith('--'));
const isCheck = args.includes('--check');
if (!path) exitWithMessage(USAGE);
await installShop();
if (isCheck) await installTestTools();
await buildIfStale();
const manifest = JSON.parse(readFileSync(join(root, 'dist/client/manifest.json'), 'utf8'));
const session = readSession(path, manifest);
if (session.notice) process.stderr.write(`${session.notice}\n`);
const { server, origin } = await serve(session, manifest);
if (!isCheck) {
  process.stdout.write(`The session is open at ${origin}. Press Ctrl-C to stop.\n`);
} else {
  const difference = await findDifference(origin);
  server.close();
  process.stdout.write(`${difference ?? 'Each step ends in the recorded state and shows the same page.'}\n`);
  process.exitCode = difference ? 1 : 0;
}
