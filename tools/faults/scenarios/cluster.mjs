import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLUSTER_FAULTS, FAULT_NEEDS } from '../lib/clusterFaults.mjs';
import { canStartCluster, NEEDS_CLUSTER, startCluster } from '../lib/patroniCluster.mjs';
import { createTools, renewTokens } from '../lib/accounts.mjs';
import { createClient } from '../lib/client.mjs';
import { createOrderClient } from '../lib/orderClient.mjs';
import { findHistoryProblems, findStockProblems, startReading } from '../lib/orderHistory.mjs';
import { formatList, formatSeconds, quantile } from '../lib/report.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { runUnderLoad } from '../lib/scenario.mjs';
import { openCopiesOnMachines, stopCopies } from '../lib/shopCopies.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';
import { verifyLists, verifyOrders } from '../lib/verifyOrders.mjs';

const P50_LIMIT_MS = 5_000;
const P99_LIMIT_MS = 15_000;

/** @returns how many milliseconds Patroni takes to promote another node, or Infinity after a minute */
async function measurePromotion({ findPrimaries }, former) {
  const startedAt = performance.now();
  while (performance.now() - startedAt < 60_000) {
    const primaries = await findPrimaries();
    if (primaries.some((node) => node !== former)) return performance.now() - startedAt;
    await sleep(50);
  }
  return Infinity;
}

const PROBES = 4;
const PROBE_TOOLS = 20;
const ORDER_TIMEOUT_MS = 120_000;
const PROBE_PAUSE_MS = 500;

/**
 * Places and deletes orders all the time, to measure for how long the shop accepts none. An order is sent again until
 * it is acknowledged, and its deletion until it has taken effect, because a customer may have only so many unpaid orders.
 * Each order is of the next customer and tool, because a customer may hold a tool's pieces only for so long. The tools
 * are not those of the load, whose orders are held too.
 */
async function startProbes({ origin, client: adminClient, admin, people, entries }) {
  const tools = await createTools(adminClient, admin, PROBE_TOOLS);
  const acknowledged = [performance.now()];
  const pairs = people.flatMap((person) => tools.map((tool) => [person, tool]));
  let orderCount = 0;
  let lastAnswer;
  let isRunning = true;
  async function probe() {
    const client = createClient(origin, 1);
    const { createEntry, place, remove } = createOrderClient(client);
    let entry;
    for (; isRunning; await sleep(PROBE_PAUSE_MS)) {
      if (!entry) {
        entry = createEntry(...pairs[orderCount++ % pairs.length]);
        entries.push(entry);
      }
      if (!entry.order) {
        lastAnswer = (await place(entry).catch(() => undefined))?.text;
        if (!entry.order) continue;
        acknowledged.push(performance.now());
      }
      const deletion = await remove(entry).catch(() => undefined);
      if ([204, 404].includes(deletion?.status)) entry = undefined;
    }
    client.close();
  }
  const ended = Promise.all(Array.from({ length: PROBES }, probe));
  return {
    /** Waits until an order is acknowledged after `after`. */
    async waitForOrder(after, fault) {
      for (const end = after + ORDER_TIMEOUT_MS; acknowledged.at(-1) <= after; await sleep(20))
        if (performance.now() > end)
          throw new Error(`No order was accepted for two minutes (${lastAnswer ?? 'no response'}): ${fault}.`);
    },
    /** @returns the longest time between two acknowledged orders, starting with the last order before `from` */
    findLongestGap(from) {
      const start = Math.max(
        0,
        acknowledged.findLastIndex((at) => at <= from),
      );
      const times = acknowledged.slice(start);
      return Math.max(0, ...times.slice(1).map((at, n) => at - times[n]));
    },
    async stop() {
      isRunning = false;
      await ended;
    },
  };
}

async function restartCopies({ shops }) {
  for (const shop of shops) {
    await shop.stop('SIGTERM');
    await shop.start();
  }
}

export async function cluster({ report, chooseSize, seed }) {
  if (!canStartCluster()) return report.note(`Not run: ${NEEDS_CLUSTER}.`);
  const patroni = await startCluster();
  // No hold may end during the run, because the pieces would return to the stock.
  const scenario = await openCopiesOnMachines(seed, patroni.nodes, { HOLD_HOURS: '48' });
  const { client, people, random, lost, unexpectedResponses } = scenario;
  const rounds = chooseSize(200, 20);
  const [outages, promotions, waits] = [[], [], []];
  const twoPrimaries = [];
  let currentFault = 'none';

  /**
   * A node that continues after a pause reports for a moment what it knew before. So two nodes that report to be the
   * primary must also both acknowledge a write.
   */
  async function checkPrimaries() {
    const primaries = await patroni.findPrimaries();
    if (primaries.length < 2) return;
    const names = `${primaries.map(({ name }) => name).join(' and ')}: ${currentFault}`;
    const writes = await Promise.all(primaries.map((node) => node.acknowledgesWrite()));
    if (writes.every(Boolean)) twoPrimaries.push(names);
    else report.note(`${names}: both reported to be the primary, but not both acknowledged a write`);
  }

  /** @returns a function that stops the checks and waits for the last of them */
  function watchPrimaries() {
    const checks = [];
    const timer = setInterval(() => checks.push(checkPrimaries()), 200);
    return () => {
      clearInterval(timer);
      return Promise.all(checks);
    };
  }

  const runFault = async (probes, [name, { begin, failsOver }]) => {
    currentFault = name;
    await sleep(random.integer(500, 2_000));
    const [former] = await patroni.findPrimaries();
    const startedAt = performance.now();
    const promotion = failsOver ? measurePromotion(patroni, former) : undefined;
    const repair = await begin(patroni, former, random);
    const promotionMs = await promotion;
    await probes.waitForOrder(performance.now(), name);
    if (failsOver) {
      const outageMs = probes.findLongestGap(startedAt);
      promotions.push(promotionMs);
      outages.push(outageMs);
      waits.push(Math.max(0, outageMs - promotionMs));
    }
    await repair();
    await patroni.waitUntilHealthy(name);
  };

  const possible = Object.entries(CLUSTER_FAULTS).filter(([, { needs }]) => !needs || patroni[needs]);
  const failovers = possible.filter(([, { failsOver }]) => failsOver);
  for (const [name, { needs }] of Object.entries(CLUSTER_FAULTS))
    if (needs && !patroni[needs]) report.note(`Not run, because it needs ${FAULT_NEEDS[needs]}: ${name}.`);

  const [primary] = await patroni.findPrimaries();
  for (const node of patroni.nodes)
    if ((await node.acknowledgesWrite()) !== (node === primary))
      throw new Error(`At the start, ${primary.name} is the primary, but a write to ${node.name} shows otherwise.`);
  const stopWatching = watchPrimaries();
  const ledger = await runUnderLoad(scenario, async ({ entries }) => {
    const stopReading = startReading(scenario, () => entries);
    const probes = await startProbes(scenario);
    for (let n = 0; n < rounds; n++) {
      await renewTokens(client, people);
      await runFault(probes, failovers[n % failovers.length]);
    }
    for (const fault of possible.filter(([, { failsOver }]) => !failsOver)) await runFault(probes, fault);
    await probes.stop();
    await stopReading();
  });
  const retrying = { ...scenario, client: withRetries(client, { serversAreKilled: true }) };
  await runUnderLoad(retrying, () => restartCopies(scenario));
  await stopWatching();

  const entries = [...new Set([...ledger.touched, ...scenario.entries])];
  lost.push(...(await verifyOrders(client, entries)));
  report.check(
    `orders lost after ${rounds} failovers under load (of ${scenario.entries.length} orders)`,
    formatList(lost),
    '0',
    lost.length === 0,
  );
  const listProblems = await verifyLists(client, people, scenario.entries, true);
  report.check('orders listed twice or missing', formatList(listProblems), '0', listProblems.length === 0);
  report.check(
    'unexpected responses besides 429 and 503',
    formatList(unexpectedResponses),
    '0',
    unexpectedResponses.length === 0,
  );
  const history = findHistoryProblems(entries);
  const reads = entries.reduce((sum, entry) => sum + entry.reads.length, 0);
  report.check(
    `orders whose history is impossible (of ${reads} reads)`,
    formatList(history),
    '0',
    history.length === 0,
  );
  const placed = entries.filter(({ order }) => order);
  const stock = await findStockProblems(client, scenario.tools, placed);
  report.check('tools with pieces too many or missing', formatList(stock), '0', stock.length === 0);
  report.check(
    'times that two primaries acknowledged writes',
    formatList(twoPrimaries),
    '0',
    twoPrimaries.length === 0,
  );
  const formatTimes = (times) =>
    `p50 ${formatSeconds(quantile(times, 0.5))}, p99 ${formatSeconds(quantile(times, 0.99))}`;
  report.note(`time until Patroni promoted another node: ${formatTimes(promotions)}`);
  report.note(`time until orders were accepted again: ${formatTimes(outages)}`);
  report.checkTimes('time beside that of Patroni, p50', [quantile(waits, 0.5)], P50_LIMIT_MS, formatTimes(waits));
  report.checkTimes('time beside that of Patroni, p99', [quantile(waits, 0.99)], P99_LIMIT_MS, formatTimes(waits));
  await runDoctor(report, scenario.shops[0]);
  await stopCopies(scenario);
}
