import { setTimeout as sleep } from 'node:timers/promises';
import { NO_POSTGRES, hasPostgres, ownPostgres, standbyOf } from '../lib/postgres.mjs';
import { prove, proveLists } from '../lib/proof.mjs';
import { proxyTo } from '../lib/proxy.mjs';
import { none } from '../lib/report.mjs';
import { openScene, underLoad } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';
import { works } from '../lib/works.mjs';
import { testKit } from '../../scripts/testKit.mjs';

const GOES_ON_WITHIN_MS = 10_000;

const inStep = (primary) =>
  testKit().waitUntil(() => primary.sql('select sync_state from pg_stat_replication') === 'sync', 10_000);

/** What an operator, or the tool that stands in for one, does when the primary is gone. */
function promote(standby, proxy) {
  standby.set("synchronous_standby_names = ''");
  standby.control('promote');
  proxy.to = standby.port;
}

async function failOver(seed) {
  const primary = await ownPostgres();
  const standby = await standbyOf(primary);
  await inStep(primary);
  const proxy = await proxyTo(primary.port);
  const scene = await openScene(seed, { DATABASE_URL: primary.url.replace(primary.port, proxy.port) });
  let time = 0;
  const { touched } = await underLoad(scene, async () => {
    await sleep(3_000);
    const began = performance.now();
    process.kill(primary.pid(), 'SIGKILL');
    promote(standby, proxy);
    await works(scene);
    time = performance.now() - began;
  });
  scene.lost.push(...(await prove(scene.client, touched)));
  return { scene, time };
}

export async function standby({ report, size, seed }) {
  if (!hasPostgres()) return report.note(`Not run: ${NO_POSTGRES}.`);
  const rounds = size(3, 1);
  const times = [];
  for (let n = 0; n < rounds; n++) {
    const { scene, time } = await failOver(`${seed} ${n}`);
    times.push(time);
    const { client, people, entries, lost, wrong, shop } = scene;
    report.line(
      `primary killed, standby promoted: lost of ${entries.length} orders`,
      none(lost),
      '0',
      lost.length === 0,
    );
    const lists = await proveLists(client, people, entries);
    report.line('in the lists twice, by nobody or missing', none(lists), '0', lists.length === 0);
    report.line('answers other than what was asked for, 429 and 503', none(wrong), '0', wrong.length === 0);
    report.line('the server is the same process', shop.running() ? 'yes' : 'no', 'yes', shop.running());
    await doctor(report, shop);
  }
  report.times('from the end of the primary to the next order', times, GOES_ON_WITHIN_MS);
}
