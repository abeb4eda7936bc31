import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureChromium, FLAGS } from '../scripts/chromium.mjs';
import { root } from '../scripts/install.mjs';
import { startShop } from './shop.mjs';

export const title = 'Lighthouse (mobile, the middle of three runs by performance)';
export const columns = [
  'Page',
  'performance',
  'accessibility',
  'best practices',
  'SEO',
  'processor slowed by',
  'points lost by',
];

const PATHS = ['/', '/home', '/blogs', '/about', '/login', '/signup'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const RUNS = 3;
const LOOPBACK_ONLY = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1';

const { resolve } = createRequire(join(root, '__tests__/package.json'));
const load = (name) => import(pathToFileURL(resolve(name)));

/**
 * How many times slower than this machine Lighthouse's telephone is, by the machine's benchmark index: what its makers
 * advise, and at most the four times that they take for granted.
 */
const SLOWDOWNS = [
  [150, 1],
  [800, 2],
  [1300, 3],
  [1533, 4],
];
function slowdownOf(index) {
  const at = SLOWDOWNS.findIndex(([least]) => index < least);
  if (at <= 0) return SLOWDOWNS.at(at)[1];
  const [[low, from], [high, to]] = SLOWDOWNS.slice(at - 1, at + 1);
  return Number((from + ((index - low) / (high - low)) * (to - from)).toFixed(1));
}

const scoreOf = ({ categories }, name) => Math.round(categories[name].score * 100);

/** Every audit that counts and is not perfect. */
const lost = ({ categories, audits }) =>
  CATEGORIES.flatMap((name) => categories[name].auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
    .map(({ id }) => [id, audits[id].displayValue].filter(Boolean).join(' '));

async function auditOnce(url, { lighthouse, launch, chromePath, slowdown }) {
  const chromeFlags = ['--headless', ...FLAGS, LOOPBACK_ONLY];
  const chrome = await launch({ chromePath, logLevel: 'silent', chromeFlags });
  try {
    const throttling = slowdown && { cpuSlowdownMultiplier: slowdown };
    const wanted = { port: chrome.port, logLevel: 'error', onlyCategories: CATEGORIES, throttling };
    const { lhr } = await lighthouse(url, wanted);
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    return lhr;
  } finally {
    chrome.kill();
  }
}

/** The browser now and then does not record what happened: then it is done once more. */
const auditSurely = (url, tools) => auditOnce(url, tools).catch(() => auditOnce(url, tools));

async function audit(url, tools) {
  const runs = [];
  for (let i = 0; i < RUNS; i++) runs.push(await auditSurely(url, tools));
  runs.sort((a, b) => scoreOf(a, 'performance') - scoreOf(b, 'performance'));
  return runs[Math.floor(RUNS / 2)];
}

function lineOf(path, report, slowdown) {
  const scores = CATEGORIES.map((name) => scoreOf(report, name));
  const ok = scores.every((score) => score === 100);
  return { cells: [path, ...scores, slowdown, ok ? '' : lost(report).join(', ')], ok };
}

export async function* measure() {
  const [{ default: lighthouse }, { launch }] = await Promise.all(['lighthouse', 'chrome-launcher'].map(load));
  const tools = { lighthouse, launch, chromePath: ensureChromium() };
  const shop = await startShop({ env: { RATE_LIMIT: 'off' } });
  try {
    const { environment } = await auditSurely(`${shop.origin}/`, tools);
    const slowdown = slowdownOf(environment.benchmarkIndex);
    for (const path of PATHS) yield lineOf(path, await audit(shop.origin + path, { ...tools, slowdown }), slowdown);
  } finally {
    await shop.stop();
  }
}
