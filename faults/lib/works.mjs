import { setTimeout as sleep } from 'node:timers/promises';
import { buyerOf } from './buyer.mjs';
import { clientOf } from './client.mjs';

const GIVE_UP_MS = 60_000;

/** How long until the shop is ready and takes an order again, asked on connections of its own. */
export async function works(scene) {
  const { shop, people, tools, entries } = scene;
  const client = clientOf(shop.origin, 2);
  const buyer = buyerOf(client);
  const began = performance.now();
  const ready = () => client.send('GET', '/readyz').catch(() => ({ status: 0 }));
  try {
    while (performance.now() - began < GIVE_UP_MS) {
      const entry = buyer.newEntry(people[0], tools[0]);
      const placed = (await ready()).status === 200 && (await buyer.place(entry).catch(() => undefined));
      if (entry.asked.size > 0) entries.push(entry);
      if (placed?.status === 201) return performance.now() - began;
      await sleep(50);
    }
    return Infinity;
  } finally {
    client.close();
  }
}
