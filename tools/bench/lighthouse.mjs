import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureChromium, CHROMIUM_FLAGS } from '../../scripts/chromium.mjs';
import { root } from '../../scripts/install.mjs';
import { startShop } from './shop.mjs';

export const title = 'Lighthouse (mobile, the median of three runs by performance)';
export const columns = [
  'Page',
  'performance',
  'accessibility',
  'best practices',
  'SEO',
  'CPU slowdown',
  'imperfect audits',
];

const PATHS = ['/', '/home', '/blogs', '/about', '/login', '/signup'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const RUNS = 3;
const LOOPBACK_ONLY = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1';

const { resolve } = createRequire(join(root, '__tests__/package.json'));
const importModule = (name) => import(pathToFileURL(resolve(name)));

/**
 * The factors by which to slow this machine down to match Lighthouse's phone, by the machine's benchmark index. They
 * are those that Lighthouse recommends, up to its default of four.
 */
const SLOWDOWNS = [
  [150, 1],
  [800, 2],
  [1300, 3],
  [1533, 4],
];
function slowdownOf(index) {
  const upper = SLOWDOWNS.findIndex(([least]) => index < least);
  if (upper <= 0) return SLOWDOWNS.at(upper)[1];
  const [[low, from], [high, to]] = SLOWDOWNS.slice(upper - 1, upper + 1);
  return Number((from + ((index - low) / (high - low)) * (to - from)).toFixed(1));
}

const scoreOf = ({ categories }, name) => Math.round(categories[name].score * 100);

const listImperfectAudits = ({ categories, audits }) =>
  CATEGORIES.flatMap((name) => categories[name].auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
    .map(({ id }) => [id, audits[id].displayValue].filter(Boolean).join(' '));

async function auditOnce(url, { lighthouse, launch, chromePath, slowdown }) {
  const chromeFlags = ['--headless', ...CHROMIUM_FLAGS, LOOPBACK_ONLY];
  const chrome = await launch({ chromePath, logLevel: 'silent', chromeFlags });
  try {
    const throttling = slowdown && { cpuSlowdownMultiplier: slowdown };
    const flags = { port: chrome.port, logLevel: 'error', onlyCategories: CATEGORIES, throttling };
    const { lhr } = await lighthouse(url, flags);
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    return lhr;
  } finally {
    chrome.kill();
  }
}

/**
 * Repeats a failed audit once, because Lighthouse sometimes finds no paint in the trace
 * (https://github.com/GoogleChrome/lighthouse/issues/14094).
 */
const auditWithRetry = (url, options) => auditOnce(url, options).catch(() => auditOnce(url, options));

async function auditMedian(url, options) {
  const runs = [];
  for (let i = 0; i < RUNS; i++) runs.push(await auditWithRetry(url, options));
  runs.sort((a, b) => scoreOf(a, 'performance') - scoreOf(b, 'performance'));
  return runs[Math.floor(RUNS / 2)];
}

function createLine(path, report, slowdown) {
  const scores = CATEGORIES.map((name) => scoreOf(report, name));
  const ok = scores.every((score) => score === 100);
  return { cells: [path, ...scores, slowdown, ok ? '' : listImperfectAudits(report).join(', ')], ok };
}

export async function* measure() {
  const [{ default: lighthouse }, { launch }] = await Promise.all(['lighthouse', 'chrome-launcher'].map(importModule));
  const options = { lighthouse, launch, chromePath: ensureChromium() };
  const shop = await startShop({ env: { RATE_LIMIT: 'off' } });
  try {
    const { environment } = await auditWithRetry(`${shop.origin}/`, options);
    const slowdown = slowdownOf(environment.benchmarkIndex);
    for (const path of PATHS)
      yield createLine(path, await auditMedian(shop.origin + path, { ...options, slowdown }), slowdown);
  } finally {
    await shop.stop();
  }
}
