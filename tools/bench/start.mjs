import { CONNECTIONS, runLoad } from './runLoad.mjs';
import { rssMegabytes } from './machine.mjs';
import { formatCount, median } from './statistics.mjs';
import { createTempFolder, startShop } from './shop.mjs';

export const title = 'Start and size';
export const columns = ['What', 'measured', 'target'];

const STARTS = 3;
const LOAD_SECONDS = 10;
const MAX_WARM_START_MS = 1500;
const MAX_FIRST_START_MS = 4000;
const MAX_MEGABYTES = 200;
const apiHeaders = { accept: 'application/json', 'accept-encoding': 'br' };

/** @returns the milliseconds from the start of `node` to the first response to GET /tool */
async function measureStart(folder) {
  const shop = await startShop({ folder, core: null });
  await shop.stop();
  return shop.readyMs;
}

async function measureMedianStart(chooseFolder) {
  const times = [];
  for (let i = 0; i < STARTS; i++) times.push(await measureStart(chooseFolder()));
  return median(times);
}

const createLine = (label, value, limit, unit) => ({
  cells: [label, `${formatCount(value)} ${unit}`, `<= ${formatCount(limit)} ${unit}`],
  ok: value <= limit,
});

export async function* measure() {
  yield createLine(
    'Start with an empty data folder, until the first response',
    await measureMedianStart(createTempFolder),
    MAX_FIRST_START_MS,
    'ms',
  );
  const folder = createTempFolder();
  await measureStart(folder);
  yield createLine(
    'Start with an existing data folder, until the first response',
    await measureMedianStart(() => folder),
    MAX_WARM_START_MS,
    'ms',
  );
  const shop = await startShop({ folder, env: { RATE_LIMIT: 'off' } });
  const idleMegabytes = rssMegabytes(shop.pid);
  yield { cells: ['Memory of the Node process after the start', `${formatCount(idleMegabytes)} MB`, ''] };
  for (const path of ['/tool', '/review', '/'])
    await runLoad(shop, { paths: [path], headers: apiHeaders, seconds: LOAD_SECONDS });
  const label = `Memory after ${LOAD_SECONDS * 3} s of reads on ${CONNECTIONS} connections`;
  yield createLine(label, rssMegabytes(shop.pid), MAX_MEGABYTES, 'MB');
  await shop.stop();
}
