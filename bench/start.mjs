import { CONNECTIONS, load } from './load.mjs';
import { rssMegabytes } from './machine.mjs';
import { many, median } from './numbers.mjs';
import { newFolder, startShop } from './shop.mjs';

export const title = 'Start and size';
export const columns = ['What', 'measured', 'target'];

const STARTS = 3;
const LOAD_SECONDS = 10;
const WARM_MS = 1500;
const EMPTY_MS = 4000;
const MOST_MEGABYTES = 200;
const api = { accept: 'application/json', 'accept-encoding': 'br' };

/** From `node` to the first answered GET /tool. */
async function startOnce(folder) {
  const shop = await startShop({ folder, core: null });
  await shop.stop();
  return shop.ready;
}

async function medianStart(folderOf) {
  const times = [];
  for (let i = 0; i < STARTS; i++) times.push(await startOnce(folderOf()));
  return median(times);
}

const lineOf = (what, value, most, unit) => ({
  cells: [what, `${many(value)} ${unit}`, `<= ${many(most)} ${unit}`],
  ok: value <= most,
});

export async function* measure() {
  yield lineOf('First answer with an empty folder', await medianStart(newFolder), EMPTY_MS, 'ms');
  const folder = newFolder();
  await startOnce(folder);
  yield lineOf('First answer with a folder of before', await medianStart(() => folder), WARM_MS, 'ms');
  const shop = await startShop({ folder, env: { RATE_LIMIT: 'off' } });
  const idle = rssMegabytes(shop.pid);
  yield { cells: ['Memory of the Node process, just started', `${many(idle)} MB`, ''] };
  for (const path of ['/tool', '/review', '/'])
    await load(shop, { paths: [path], headers: api, seconds: LOAD_SECONDS });
  const what = `the same after ${LOAD_SECONDS * 3} s of reads on ${CONNECTIONS} connections`;
  yield lineOf(what, rssMegabytes(shop.pid), MOST_MEGABYTES, 'MB');
  await shop.stop();
}
