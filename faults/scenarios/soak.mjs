import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../lib/client.mjs';
import { startLoad } from '../lib/load.mjs';
import { patient } from '../lib/patient.mjs';
import { prove, proveLists } from '../lib/proof.mjs';
import { none, quantile } from '../lib/report.mjs';
import { openScene } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';

const LONG = { readsASecond: 450, pause: 30, growthMbAMinute: 1 };
/**
 * A third of the load, since others need the processors too. A slow machine comes to its working size later, by some
 * ten megabytes in all.
 */
const SHORT = { readsASecond: 150, pause: 90, growthMbAMinute: 10 };
const READERS = 6;
const P99_MS = 250;
/** Each collection is of everything, so that what lies about is not taken for what is kept. */
const WHOLE_COLLECTIONS = ['--gc-global'];
const MINUTE = 60_000;

/** Without the files that are mapped: the system takes those from memory and brings them back as it likes. */
const ownMb = (pid) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** The lowest of each third: it grows to its working size in the first, and from the second to the last should stay. */
function lowsOf(samples, minutes) {
  const thirdOf = (at) => Math.floor((3 * at) / (minutes * MINUTE));
  return [0, 1, 2].map((third) => Math.min(...samples.filter(([at]) => thirdOf(at) === third).map(([, mb]) => mb)));
}

function startReading(client, readsASecond) {
  const told = { times: [], wrong: [] };
  let running = true;
  const ask = () => client.send('GET', '/tool').catch((error) => ({ status: error.message, ms: Infinity }));
  const read = async () => {
    while (running) {
      const began = performance.now();
      const { status, ms } = await ask();
      told.times.push(ms);
      if (status !== 200) told.wrong.push(status);
      await sleep(Math.max(1, (READERS * 1000) / readsASecond - (performance.now() - began)));
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
    samples.push([performance.now() - began, ownMb(pid)]);
  return samples;
}

/** Who is told to come again does so, as a page would. In short times are not judged. */
export async function soak({ report, size, short, seed }) {
  if (!existsSync('/proc/self/status'))
    return report.note('Not run: this system does not tell what memory a process has.');
  const scene = await openScene(seed, {}, undefined, WHOLE_COLLECTIONS);
  const { shop, client, people, tools, random } = scene;
  const [buying, looking] = [patient(client), patient(clientOf(shop.origin, READERS))];
  const minutes = size(30, 3);
  const { readsASecond, pause, growthMbAMinute: limit } = short ? SHORT : LONG;
  const load = startLoad({ client: buying, people, tools, random, workers: 2, pause });
  const reading = startReading(looking, readsASecond);
  const samples = await watch(shop.child.pid, minutes * MINUTE);
  const read = await reading.stop();
  const { entries, wrong, refused, lost: unanswered, slow, touched } = await load.stop();
  const all = [...read.times, ...slow];
  const aSecond = Math.round(all.length / (minutes * 60));
  const lows = lowsOf(samples, minutes);
  const growth = (lows[2] - lows[1]) / (minutes / 3);
  report.note(
    `${minutes} minutes, ${aSecond} answers a second, ${entries.length} orders, ${lows.map(Math.round).join(', ')} MB in each third`,
  );
  report.line('memory grows by', `${growth.toFixed(2)} MB a minute`, `less than ${limit}`, growth < limit);
  const bad = [...wrong, ...read.wrong, ...Array(refused).fill('refused'), ...Array(unanswered).fill('no answer')];
  report.line('5xx, refusals, and answers that should not be or are none', none(bad), '0', bad.length === 0);
  const again = buying.told.again + looking.told.again;
  if (short) report.note(`${again} times told to come again`);
  else report.rarely('told to come again', again, all.length);
  const p99 = quantile(all, 0.99);
  if (short) report.note(`p99 ${Math.round(p99)} ms`);
  else report.times('p99', [p99], P99_MS, `${Math.round(p99)} ms`);
  const lost = await prove(client, touched);
  report.line(`lost of ${entries.length} orders`, none(lost), '0', lost.length === 0);
  const lists = await proveLists(client, people, entries);
  report.line('in the lists twice, by nobody or missing', none(lists), '0', lists.length === 0);
  await doctor(report, shop);
}
