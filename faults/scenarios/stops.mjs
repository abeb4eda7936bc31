import { setTimeout as sleep } from 'node:timers/promises';
import { ordersOf, prove, proveLists } from '../lib/proof.mjs';
import { none } from '../lib/report.mjs';
import { openScene, underLoad } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';

/** What was done but never answered: asked for before the stop, there after it, and nobody was told. */
async function doneUntold({ client }, touched) {
  const untold = [];
  const unanswered = [...touched].filter(({ order }) => !order);
  const people = new Set(unanswered.map(({ person }) => person));
  for (const person of people) {
    const there = new Set((await ordersOf(client, person)).map(({ address }) => address));
    untold.push(...unanswered.filter((entry) => entry.person === person && there.has(entry.key)).map(({ key }) => key));
  }
  return untold;
}

export async function stops({ report, size, seed }) {
  const scene = await openScene(seed);
  const { shop, random, client } = scene;
  const rounds = size(50, 5);
  const [times, codes, untold] = [[], [], []];
  let half = 0;
  for (let round = 0; round < rounds; round++) {
    const ledger = await underLoad(scene, async () => {
      await sleep(random.whole(100, 700));
      const began = performance.now();
      codes.push(await shop.end('SIGTERM'));
      times.push(performance.now() - began);
    });
    half += ledger.half;
    await shop.start();
    untold.push(...(await doneUntold(scene, ledger.touched)));
    scene.lost.push(...(await prove(client, ledger.touched)));
  }
  const { entries, lost, wrong, people } = scene;
  const bad = codes.filter((code) => code !== 0);
  report.line(`${rounds} SIGTERM under load, exit codes other than 0`, none(bad), '0', bad.length === 0);
  report.line('answers cut in half', half, '0', half === 0);
  report.line('orders placed whose answer was not sent', none(untold), '0', untold.length === 0);
  report.line(`lost of ${entries.length} orders`, none(lost), '0', lost.length === 0);
  report.line('answers that should not be', none(wrong), '0', wrong.length === 0);
  report.times('stopped', times, 10_000);
  const lists = await proveLists(client, people, entries);
  report.line('in the lists twice, by nobody or missing', none(lists), '0', lists.length === 0);
  await doctor(report, shop);
}
