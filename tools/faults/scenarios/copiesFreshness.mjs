import { createOrderClient } from '../lib/orderClient.mjs';
import { createTool } from '../lib/accounts.mjs';
import { retryUntilAnswered } from '../lib/verifyOrders.mjs';
import { loadTestKit } from '../../lib/testKit.mjs';

const TIMEOUT_MS = 15_000;

/** @returns the milliseconds until the servers of all clients show the current state */
async function measureVisibility(clients, path, isCurrent) {
  const startedAt = performance.now();
  await Promise.all(
    clients.map((client) => loadTestKit().waitUntil(async () => isCurrent(await client.send('GET', path)), TIMEOUT_MS)),
  );
  return performance.now() - startedAt;
}

async function measureAddedTool({ clients, admin }, n) {
  const client = clients[n % clients.length];
  const tool = await createTool(client, admin);
  return measureVisibility(clients, `/tool/${tool._id}`, ({ status }) => status === 200);
}

/**
 * Sells a piece through a server and kills that server at once, usually before it notifies the other servers.
 * @returns the milliseconds until the other servers show the new stock
 */
async function measureSaleBeforeKill({ shops, clients, people, admin }, n) {
  const killedIndex = n % shops.length;
  const tool = await createTool(clients[killedIndex], admin);
  const others = clients.filter((_, at) => at !== killedIndex);
  await measureVisibility(others, `/tool/${tool._id}`, ({ status }) => status === 200);
  const orderClient = createOrderClient(clients[killedIndex]);
  await orderClient.place(orderClient.createEntry(people[0], tool));
  await shops[killedIndex].stop('SIGKILL');
  const remaining = tool.availableQuantity - 1;
  const elapsedMs = await measureVisibility(
    others,
    `/tool/${tool._id}`,
    ({ body }) => body.availableQuantity === remaining,
  );
  await shops[killedIndex].start();
  await retryUntilAnswered(() => clients[killedIndex].send('GET', '/readyz'));
  return elapsedMs;
}

async function measureRepeatedly(rounds, work) {
  const times = [];
  for (let n = 0; n < rounds; n++) times.push(await work(n));
  return times;
}

export async function checkFreshness(report, scenario, rounds) {
  report.checkTimes(
    `${rounds} new tools: time until each is visible on every server`,
    await measureRepeatedly(rounds, (n) => measureAddedTool(scenario, n)),
    1_000,
  );
  const killCount = Math.ceil(rounds / 4);
  const times = await measureRepeatedly(killCount, (n) => measureSaleBeforeKill(scenario, n));
  report.checkTimes(
    `${killCount} sales on a server that is killed right afterwards: time until the other servers show the new stock`,
    times,
    3_000,
  );
}
