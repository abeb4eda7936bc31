import { setTimeout as sleep } from 'node:timers/promises';
import { NO_POSTGRES, hasPostgres, ownPostgres } from '../lib/postgres.mjs';
import { prove, proveLists } from '../lib/proof.mjs';
import { proxyTo } from '../lib/proxy.mjs';
import { none } from '../lib/report.mjs';
import { openScene, underLoad } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';
import { works } from '../lib/works.mjs';

const HOLE_MS = 30_000;

/** Each a way in which the way to PostgreSQL goes wrong; over when it resolves. */
const FAULTS = {
  reset: async (proxy) => proxy.reset(),
  refused: async (proxy, random) => {
    proxy.refuse = true;
    proxy.reset();
    await sleep(random.whole(500, 3_000));
    proxy.refuse = false;
  },
  slow: async (proxy, random) => {
    proxy.slow = random.whole(50, 400);
    await sleep(3_000);
    proxy.slow = 0;
  },
  'black hole': async (proxy, random, full) => {
    proxy.hole = true;
    await sleep(full ? HOLE_MS : random.whole(2_000, 12_000));
    proxy.hole = false;
  },
  /** As when a machine is gone for good and an address moves: what was connected hears nothing ever again. */
  'gone for good': async (proxy, random) => {
    proxy.strand();
    await sleep(random.whole(100, 1_000));
  },
};

async function suffer(scene, proxy, kind, full) {
  let back = 0;
  const { touched } = await underLoad(scene, async () => {
    await sleep(scene.random.whole(100, 600));
    await FAULTS[kind](proxy, scene.random, full);
    back = await works(scene);
  });
  scene.lost.push(...(await prove(scene.client, touched)));
  return back;
}

export async function connection({ report, size, seed }) {
  if (!hasPostgres()) return report.note(`Not run: ${NO_POSTGRES}.`);
  const postgres = await ownPostgres();
  const proxy = await proxyTo(postgres.port);
  const scene = await openScene(seed, { DATABASE_URL: postgres.url.replace(postgres.port, proxy.port) });
  const rounds = size(20, 5);
  const kinds = Object.keys(FAULTS);
  const times = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let n = 0; n < rounds; n++) {
    const kind = kinds[n % kinds.length];
    times[kind].push(await suffer(scene, proxy, kind, n < kinds.length && rounds >= 20));
  }
  const { entries, lost, wrong, client, people, shop } = scene;
  report.line(
    `${rounds} faults of the connection, lost of ${entries.length} orders`,
    none(lost),
    '0',
    lost.length === 0,
  );
  for (const kind of kinds)
    report.times(`${kind}: orders are taken again`, times[kind], kind === 'gone for good' ? 15_000 : 5_000);
  report.line('answers other than what was asked for, 429 and 503', none(wrong), '0', wrong.length === 0);
  const lists = await proveLists(client, people, entries);
  report.line('in the lists twice, by nobody or missing', none(lists), '0', lists.length === 0);
  report.line('the server is the same process', shop.running() ? 'yes' : 'no', 'yes', shop.running());
  await doctor(report, shop);
}
