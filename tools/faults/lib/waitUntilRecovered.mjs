import { setTimeout as sleep } from 'node:timers/promises';
import { createOrderClient } from './orderClient.mjs';
import { createClient } from './client.mjs';

const TIMEOUT_MS = 60_000;

/**
 * Waits until the shop is ready and accepts an order, on new connections.
 * @returns the milliseconds that it took, or Infinity after a minute
 */
export async function waitUntilRecovered(scenario) {
  const { shop, people, tools, entries } = scenario;
  const client = createClient(shop.origin, 2);
  const orderClient = createOrderClient(client);
  const startedAt = performance.now();
  const checkReadiness = () => client.send('GET', '/readyz').catch(() => ({ status: 0 }));
  try {
    while (performance.now() - startedAt < TIMEOUT_MS) {
      const entry = orderClient.createEntry(people[0], tools[0]);
      const placed = (await checkReadiness()).status === 200 && (await orderClient.place(entry).catch(() => undefined));
      if (entry.requested.size > 0) entries.push(entry);
      if (placed?.status === 201) return performance.now() - startedAt;
      await sleep(50);
    }
    return Infinity;
  } finally {
    client.close();
  }
}
