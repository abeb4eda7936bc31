import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../lib/client.mjs';
import { prove } from '../lib/proof.mjs';
import { none, quantile } from '../lib/report.mjs';
import { openScene, underLoad } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';

const FLOOD = fileURLToPath(new URL('../lib/flood.mjs', import.meta.url));
const FEW = 20;
const MANY = { least: 200, most: 4_000 };
const ACCEPTED_P99_MS = 8_000;
const CALM_WITHIN_MS = 5_000;
const CALM_P99_MS = 250;

/** What one customer waits for a page's data, asked for again and again. */
async function reads(client, forMs) {
  const times = [];
  for (const began = performance.now(); performance.now() - began < forMs; await sleep(10)) {
    const { status, ms } = await client.send('GET', '/tool');
    times.push(status === 200 ? ms : Infinity);
  }
  return times;
}

/** From a process of its own, so that the harness can still look. */
async function flood({ shop, people, tools }, connections, forMs) {
  const child = fork(FLOOD, { stdio: 'inherit' });
  child.send({ origin: shop.origin, people, tools, connections, forMs });
  const [told] = await once(child, 'message');
  return told;
}

async function calmAfter(client) {
  const began = performance.now();
  while (performance.now() - began < 60_000) {
    const times = await reads(client, 1_000);
    if (quantile(times, 0.99) < CALM_P99_MS) return performance.now() - began - 1_000;
  }
  return Infinity;
}

export async function overload({ report, size, seed }) {
  const scene = await openScene(seed);
  const client = clientOf(scene.shop.origin, 2);
  const forMs = size(30_000, 8_000);
  await underLoad(scene, () => sleep(3_000));
  const usual = await flood(scene, FEW, 3_000);
  // What is answered in five seconds, all at once, and again and again: nobody may wait that long for the database.
  const many = Math.min(MANY.most, Math.max(MANY.least, 5 * usual.aSecond));
  const { statuses, times, unsaid, aSecond } = await flood(scene, many, forMs);
  const back = await calmAfter(client);
  const other = Object.keys(statuses).filter((status) => !['200', '201', '429', '503'].includes(status));
  report.note(
    `${usual.aSecond} answers a second with ${FEW} connections, ${aSecond} with ${many}: ${JSON.stringify(statuses)}`,
  );
  report.line('answers other than 200, 201, 429 and 503', none(other), '0', other.length === 0);
  report.line('told to come again', statuses[503] ?? 0, 'some', statuses[503] > 0);
  report.line('of these without a time when', unsaid, '0', unsaid === 0);
  report.times('p99 of what was accepted', [quantile(times, 0.99)], ACCEPTED_P99_MS);
  report.times(`p99 below ${CALM_P99_MS} ms again after ${forMs / 1000} s of it`, [back], CALM_WITHIN_MS);
  const { touched } = await underLoad(scene, () => sleep(1_000));
  const lost = await prove(scene.client, touched);
  report.line('lost of the orders after it', none(lost), '0', lost.length === 0);
  await doctor(report, scene.shop);
}
