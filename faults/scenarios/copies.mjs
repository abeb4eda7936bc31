import { setTimeout as sleep } from 'node:timers/promises';
import { freshness } from './copiesFresh.mjs';
import { races } from './copiesRaces.mjs';
import { sharedLimits } from './copiesLimits.mjs';
import { endCopies, openCopies } from '../lib/copies.mjs';
import { patient } from '../lib/patient.mjs';
import { NO_POSTGRES, hasPostgres, ownPostgres } from '../lib/postgres.mjs';
import { prove, proveLists } from '../lib/proof.mjs';
import { none } from '../lib/report.mjs';
import { underLoad } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';

/** One copy after another is killed under load and started again; whoever has no answer asks again. */
async function killInTurn(report, scene, rounds) {
  const { shops, random, client, people, wrong, lost } = scene;
  const ledger = await underLoad({ ...scene, client: patient(client, { killed: true }) }, async () => {
    for (let n = 0; n < rounds; n++) {
      await sleep(random.whole(1_000, 3_000));
      const shop = shops[n % shops.length];
      await shop.end('SIGKILL');
      await shop.start();
    }
  });
  const uncured = ledger.lost + ledger.refused;
  lost.push(...(await prove(client, ledger.touched)));
  report.line(
    `${rounds} times a copy killed, lost of ${ledger.entries.length} orders`,
    none(lost),
    '0',
    lost.length === 0,
  );
  report.line(`of ${ledger.answers} answers, errors that asking again did not cure`, uncured, '0', uncured === 0);
  report.line('answers that should not be', none(wrong), '0', wrong.length === 0);
  const lists = await proveLists(client, people, ledger.entries, 'others too');
  report.line('in the lists twice or missing', none(lists), '0', lists.length === 0);
}

export async function copies({ report, size, seed }) {
  if (!hasPostgres()) return report.note(`Not run: ${NO_POSTGRES}.`);
  const postgres = await ownPostgres();
  const scene = await openCopies(seed, postgres.url);
  await races(report, scene, size(5, 2));
  await freshness(report, scene, size(20, 8));
  await killInTurn(report, scene, size(30, 4));
  await doctor(report, scene.shops[0]);
  await endCopies(scene);
  await sharedLimits(report, postgres.url, seed);
}
