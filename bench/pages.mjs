import { openChromium } from '../scripts/chromium.mjs';
import { median } from './numbers.mjs';
import { startShop } from './shop.mjs';
import { standBefore } from './stripped.mjs';
import { visit } from './visit.mjs';

export const title = 'Pages (processor four times slower, 1.6 Mbit/s, 150 ms)';
export const columns = [
  'Page',
  'largest paint, ms',
  'without its scripts',
  'ratio (at most 1.2)',
  'alive, ms',
  'blocking, ms (below 100)',
  'layout shift (0)',
  'JavaScript until alive, KB (at most 120 on the home page)',
  'requests',
  'JavaScript after, KB (at most 42)',
  'requests',
  'font, KB (at most 25)',
];

const HOME = ['/', '/home'];
const PATHS = [...HOME, '/blogs', '/about', '/login', '/signup', '/nowhere'];
const VISITS = 9;
const MOST = { ratio: 1.2, blocking: 100, moved: 0.001, before: 120_000, after: 42_000, font: 25_000 };

const sum = (files) => files.reduce((total, { bytes }) => total + bytes, 0);
const kilobytes = (bytes) => (bytes / 1000).toFixed(1);
const middle = (visits, value) => median(visits.map(value));

function lineOf(path, whole, bare) {
  const largest = middle(whole, (seen) => seen.largest);
  const without = middle(bare, (seen) => seen.largest);
  const blocked = middle(whole, (seen) => seen.blocking);
  const moved = Math.max(...whole.map((seen) => seen.moved));
  const [{ scripts, alive, fonts }] = whole;
  const [before, after] = [scripts.filter(({ at }) => at <= alive), scripts.filter(({ at }) => at > alive)];
  const begun = !HOME.includes(path) || sum(before) <= MOST.before;
  const light = begun && sum(after) <= MOST.after && sum(fonts) <= MOST.font;
  const numbers = [largest, without].map(Math.round);
  const weights = [kilobytes(sum(before)), before.length, kilobytes(sum(after)), after.length, kilobytes(sum(fonts))];
  const alives = Math.round(middle(whole, (seen) => seen.alive));
  return {
    cells: [
      path,
      ...numbers,
      (largest / without).toFixed(2),
      alives,
      Math.round(blocked),
      moved.toFixed(3),
      ...weights,
    ],
    ok: largest <= without * MOST.ratio && blocked < MOST.blocking && moved < MOST.moved && light,
  };
}

/** Each page whole and bare in turn, so that what else the machine does falls on both. */
async function compare(browser, [whole, bare], path) {
  const seen = [[], []];
  for (let round = 0; round < VISITS; round++) {
    seen[0].push(await visit(browser, whole.origin + path));
    seen[1].push(await visit(browser, bare.origin + path, { bare: true }));
  }
  return lineOf(path, ...seen);
}

export async function* measure() {
  const shop = await startShop({ env: { RATE_LIMIT: 'off' } });
  const fronts = [false, true].map((stripped) => standBefore(shop.origin, { stripped }));
  const [whole, bare] = await Promise.all(fronts);
  const browser = await openChromium();
  try {
    await visit(browser, `${whole.origin}/`);
    for (const path of PATHS) yield await compare(browser, [whole, bare], path);
  } finally {
    await browser.close();
    for (const front of [whole, bare]) front.stop();
    await shop.stop();
  }
}
