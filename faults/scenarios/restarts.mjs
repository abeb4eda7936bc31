import { setTimeout as sleep } from 'node:timers/promises';
import { NO_POSTGRES, hasPostgres, ownPostgres } from '../lib/postgres.mjs';
import { endPostmaster } from '../lib/postmaster.mjs';
import { prove, proveLists } from '../lib/proof.mjs';
import { none } from '../lib/report.mjs';
import { openScene, underLoad } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';
import { works } from '../lib/works.mjs';

/** PostgreSQL ends without a word under load; the server stays, says 503 meanwhile and goes on by itself. */
async function endure(scene, end) {
  let back = 0;
  const { touched } = await underLoad(scene, async () => {
    await sleep(scene.random.whole(100, 600));
    await end();
    back = await works(scene);
  });
  scene.lost.push(...(await prove(scene.client, touched)));
  return back;
}

async function tell(report, scene, what, times) {
  const { shop, client, people, entries, lost, wrong } = scene;
  report.line(`${what}: lost of ${entries.length} orders`, none(lost), '0', lost.length === 0);
  report.line('answers other than what was asked for, 429 and 503', none(wrong), '0', wrong.length === 0);
  report.times('orders are taken again', times, 5_000);
  report.line('the server is the same process', shop.running() ? 'yes' : 'no', 'yes', shop.running());
  const lists = await proveLists(client, people, entries);
  report.line('in the lists twice, by nobody or missing', none(lists), '0', lists.length === 0);
  await doctor(report, shop);
}

export async function restarts({ report, size, seed }) {
  const rounds = size(20, 3);
  const own = await openScene(seed);
  const times = [];
  for (let n = 0; n < rounds; n++) times.push(await endure(own, () => endPostmaster(own.folder, 'SIGQUIT')));
  await tell(report, own, `${rounds} immediate ends of the embedded PostgreSQL`, times);
  await own.shop.end('SIGTERM');

  if (!hasPostgres()) return report.note(`Not run with a PostgreSQL that is given: ${NO_POSTGRES}.`);
  const postgres = await ownPostgres();
  const scene = await openScene(seed, { DATABASE_URL: postgres.url });
  const given = [];
  for (let n = 0; n < rounds; n++) given.push(await endure(scene, () => postgres.restart('immediate')));
  await tell(report, scene, `${rounds} immediate restarts of a given PostgreSQL`, given);
}
