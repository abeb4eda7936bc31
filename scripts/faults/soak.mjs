import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './frame/client.mjs';
import { startLoad } from './frame/load.mjs';
import { patient } from './frame/patient.mjs';
import { prove, proveLists } from './frame/proof.mjs';
import { none, quantile } from './frame/report.mjs';
import { openScene } from './frame/scene.mjs';
import { doctor } from './frame/shop.mjs';

const READS_A_SECOND = 450;
const READERS = 6;
const GROWTH_MB_A_MINUTE = 1;
const P99_MS = 250;
const MINUTE = 60_000;

const rssMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/**
 * Megabytes a minute, from the lowest of the second third to the lowest of the last: it grows to its working size in the
 * first, and goes up and down between two collections.
 */
function growthOf(samples, minutes) {
  const lowest = (third) =>
    Math.min(...samples.filter(([at]) => Math.floor((3 * at) / (minutes * MINUTE)) === third).map(([, mb]) => mb));
  return (lowest(2) - lowest(1)) / (minutes / 3);
}

function startReading(client) {
  const told = { times: [], wrong: [] };
  let running = true;
  const ask = () => client.send('GET', '/tool').catch((error) => ({ status: error.message, ms: Infinity }));
  const read = async () => {
    while (running) {
      const began = performance.now();
      const { status, ms } = await ask();
      told.times.push(ms);
      if (status !== 200) told.wrong.push(status);
      await sleep(Math.max(1, (READERS * 1000) / READS_A_SECOND - (performance.now() - began)));
    }
  };
  const reading = Promise.all(Array.from({ length: READERS }, read));
  const stop = async () => {
    running = false;
    await reading;
    return told;
  };
  return { stop };
}

async function watch(pid, forMs) {
  const samples = [];
  for (const began = performance.now(); performance.now() - began < forMs; await sleep(1_000))
    samples.push([performance.now() - began, rssMb(pid)]);
  return samples;
}

/**
 * In short it runs where others may use the processors too: who is told to come again does so, as a page would, and how
 * long answers take is told, not judged.
 */
export async function soak({ report, size, short, seed }) {
  const scene = await openScene(seed);
  const { shop, client, people, tools, random } = scene;
  const asking = (to) => (short ? patient(to) : to);
  const minutes = size(30, 3);
  const load = startLoad({ client: asking(client), people, tools, random, workers: 2, pause: 30 });
  const reading = startReading(asking(clientOf(shop.origin, READERS)));
  const samples = await watch(shop.child.pid, minutes * MINUTE);
  const read = await reading.stop();
  const { entries, wrong, refused, lost: unanswered, slow, touched } = await load.stop();
  const all = [...read.times, ...slow];
  const aSecond = Math.round(all.length / (minutes * 60));
  report.note(
    `${minutes} minutes, ${aSecond} answers a second, ${entries.length} orders, ${Math.round(samples.at(-1)[1])} MB`,
  );
  const growth = growthOf(samples, minutes);
  const limit = short ? 5 * GROWTH_MB_A_MINUTE : GROWTH_MB_A_MINUTE;
  report.line('memory grows by', `${growth.toFixed(2)} MB a minute`, `less than ${limit}`, growth < limit);
  const bad = [...wrong, ...read.wrong, ...Array(refused).fill('refused'), ...Array(unanswered).fill('no answer')];
  report.line('5xx, refusals, and answers that should not be or are none', none(bad), '0', bad.length === 0);
  const p99 = quantile(all, 0.99);
  if (short) report.note(`p99 ${Math.round(p99)} ms`);
  else report.times('p99', [p99], P99_MS, `${Math.round(p99)} ms`);
  const lost = await prove(client, touched);
  report.line(`lost of ${entries.length} orders`, none(lost), '0', lost.length === 0);
  const lists = await proveLists(client, people, entries);
  report.line('in the lists twice, by nobody or missing', none(lists), '0', lists.length === 0);
  await doctor(report, shop);
}
