import { launchChromium } from '../../scripts/chromium.mjs';
import { median } from './statistics.mjs';
import { startShop } from './shop.mjs';
import { startProxy } from './stripScriptsProxy.mjs';
import { visitPage } from './visitPage.mjs';

export const title = 'Pages (CPU four times slower, 1.6 Mbit/s, 150 ms)';
export const columns = [
  'Page',
  'largest contentful paint, ms',
  'largest contentful paint without scripts, ms',
  'ratio (at most 1.2)',
  'hydrated, ms',
  'blocking time, ms (below 100)',
  'layout shift (0)',
  'JavaScript until hydrated, KB (at most 120 on the home page)',
  'requests',
  'JavaScript afterwards, KB (at most 48)',
  'requests',
  'fonts, KB (at most 45)',
];

const HOME_PATHS = ['/', '/home'];
const PATHS = [...HOME_PATHS, '/blogs', '/about', '/login', '/signup', '/nowhere'];
const VISITS = 9;
const LIMITS = {
  ratio: 1.2,
  blockingMs: 100,
  layoutShift: 0.001,
  bytesUntilHydrated: 120_000,
  bytesAfterwards: 48_000,
  fontBytes: 45_000,
};

const sumBytes = (files) => files.reduce((total, { bytes }) => total + bytes, 0);
const formatKilobytes = (bytes) => (bytes / 1000).toFixed(1);
const medianOf = (visits, value) => median(visits.map(value));

function createLine(path, withScripts, withoutScripts) {
  const largestPaint = medianOf(withScripts, (measured) => measured.largestPaint);
  const without = medianOf(withoutScripts, (measured) => measured.largestPaint);
  const blocked = medianOf(withScripts, (measured) => measured.blocking);
  const layoutShift = Math.max(...withScripts.map((measured) => measured.layoutShift));
  const [{ scripts, hydratedAt, fonts }] = withScripts;
  const [before, after] = [scripts.filter(({ at }) => at <= hydratedAt), scripts.filter(({ at }) => at > hydratedAt)];
  const isStartLight = !HOME_PATHS.includes(path) || sumBytes(before) <= LIMITS.bytesUntilHydrated;
  const isLight = isStartLight && sumBytes(after) <= LIMITS.bytesAfterwards && sumBytes(fonts) <= LIMITS.fontBytes;
  const numbers = [largestPaint, without].map(Math.round);
  const weights = [
    formatKilobytes(sumBytes(before)),
    before.length,
    formatKilobytes(sumBytes(after)),
    after.length,
    formatKilobytes(sumBytes(fonts)),
  ];
  const hydratedMs = Math.round(medianOf(withScripts, (measured) => measured.hydratedAt));
  return {
    cells: [
      path,
      ...numbers,
      (largestPaint / without).toFixed(2),
      hydratedMs,
      Math.round(blocked),
      layoutShift.toFixed(3),
      ...weights,
    ],
    ok:
      largestPaint <= without * LIMITS.ratio &&
      blocked < LIMITS.blockingMs &&
      layoutShift < LIMITS.layoutShift &&
      isLight,
  };
}

/** Visits the page with and without scripts in turn, so that other work of the machine affects both. */
async function comparePage(browser, [withScripts, withoutScripts], path) {
  const measured = [[], []];
  for (let round = 0; round < VISITS; round++) {
    measured[0].push(await visitPage(browser, withScripts.origin + path));
    measured[1].push(await visitPage(browser, withoutScripts.origin + path, { withoutScripts: true }));
  }
  return createLine(path, ...measured);
}

export async function* measure() {
  const shop = await startShop({ env: { RATE_LIMIT: 'off' } });
  const proxies = [false, true].map((stripped) => startProxy(shop.origin, { stripped }));
  const [withScripts, withoutScripts] = await Promise.all(proxies);
  const browser = await launchChromium();
  try {
    await visitPage(browser, `${withScripts.origin}/`);
    for (const path of PATHS) yield await comparePage(browser, [withScripts, withoutScripts], path);
  } finally {
    await browser.close();
    for (const proxy of [withScripts, withoutScripts]) proxy.stop();
    await shop.stop();
  }
}
