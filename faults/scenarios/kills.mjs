import { setTimeout as sleep } from 'node:timers/promises';
import { endPostmaster } from '../lib/postmaster.mjs';
import { prove, proveLists } from '../lib/proof.mjs';
import { none } from '../lib/report.mjs';
import { openScene, underLoad } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';

async function killOnce(scene, round) {
  const { shop, random, folder } = scene;
  const { touched } = await underLoad(scene, async () => {
    await sleep(random.whole(50, 700));
    await shop.end('SIGKILL');
    if (round % 10 === 9) endPostmaster(folder, 'SIGKILL');
  });
  if (round % 10 === 4) await killWhileStarting(shop, random);
  const ready = await shop.start();
  scene.lost.push(...(await prove(scene.client, touched)));
  return ready;
}

async function killWhileStarting(shop, random) {
  const starting = shop.start().catch(() => undefined);
  await sleep(random.whole(20, 400));
  await shop.end('SIGKILL');
  await starting;
}

export async function kills({ report, size, seed }) {
  const scene = await openScene(seed);
  const rounds = size(200, 15);
  const starts = [];
  for (let round = 0; round < rounds; round++) starts.push(await killOnce(scene, round));
  const { client, people, entries, lost, wrong, shop } = scene;
  const acknowledged = entries.filter(({ is }) => is.size > 0).length;
  report.line(
    `${rounds} kill -9 of the server under load, lost of ${acknowledged} acknowledged orders`,
    none(lost),
    '0',
    lost.length === 0,
  );
  const lists = await proveLists(client, people, entries);
  report.line(
    `${entries.length} orders asked for, in the lists twice, by nobody or missing`,
    none(lists),
    '0',
    lists.length === 0,
  );
  report.line('answers that should not be', none(wrong), '0', wrong.length === 0);
  report.times('ready again', starts, 6_000);
  await doctor(report, shop);
}
