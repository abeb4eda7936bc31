import { buyerOf } from '../lib/buyer.mjs';
import { newTool } from '../lib/people.mjs';
import { patiently } from '../lib/proof.mjs';
import { testKit } from '../../scripts/testKit.mjs';

const GIVE_UP_MS = 15_000;

/** How long until each of these copies shows what is true. */
async function seenBy(clients, path, isTrue) {
  const began = performance.now();
  await Promise.all(
    clients.map((client) => testKit().waitUntil(async () => isTrue(await client.send('GET', path)), GIVE_UP_MS)),
  );
  return performance.now() - began;
}

async function added({ clients, admin }, n) {
  const writer = clients[n % clients.length];
  const tool = await newTool(writer, admin);
  return seenBy(clients, `/tool/${tool._id}`, ({ status }) => status === 200);
}

/** The copy that sold the piece is killed before it can tell the others. */
async function soldAndKilled({ shops, clients, people, admin }, n) {
  const dying = n % shops.length;
  const tool = await newTool(clients[dying], admin);
  const others = clients.filter((_, at) => at !== dying);
  await seenBy(others, `/tool/${tool._id}`, ({ status }) => status === 200);
  const buyer = buyerOf(clients[dying]);
  await buyer.place(buyer.newEntry(people[0], tool));
  await shops[dying].end('SIGKILL');
  const left = tool.availableQuantity - 1;
  const time = await seenBy(others, `/tool/${tool._id}`, ({ body }) => body.availableQuantity === left);
  await shops[dying].start();
  await patiently(() => clients[dying].send('GET', '/readyz'));
  return time;
}

async function allOf(rounds, work) {
  const times = [];
  for (let n = 0; n < rounds; n++) times.push(await work(n));
  return times;
}

export async function freshness(report, scene, rounds) {
  report.times(`${rounds} tools added, seen on every copy`, await allOf(rounds, (n) => added(scene, n)), 1_000);
  const killed = Math.ceil(rounds / 4);
  const times = await allOf(killed, (n) => soldAndKilled(scene, n));
  report.times(`${killed} sales on a copy that is killed at once, seen on the others`, times, 3_000);
}
