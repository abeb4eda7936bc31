import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../lib/client.mjs';
import { verifyOrders } from '../lib/verifyOrders.mjs';
import { formatList, quantile } from '../lib/report.mjs';
import { openScenario, runUnderLoad } from '../lib/scenario.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';

const FLOOD_WORKER = fileURLToPath(new URL('../lib/floodWorker.mjs', import.meta.url));
const FEW_CONNECTIONS = 20;
const MANY_CONNECTIONS = { least: 200, most: 4_000 };
const ACCEPTED_P99_MS = 8_000;
const RECOVERY_LIMIT_MS = 5_000;
const NORMAL_P99_MS = 250;

/** @returns the response time of each read that one customer sends during this time */
async function measureReads(client, durationMs) {
  const times = [];
  for (const startedAt = performance.now(); performance.now() - startedAt < durationMs; await sleep(10)) {
    const { status, ms } = await client.send('GET', '/tool');
    times.push(status === 200 ? ms : Infinity);
  }
  return times;
}

/** The flood runs in its own process, so that it does not slow down the process that then measures the recovery. */
async function runFlood({ shop, people, tools }, connections, durationMs) {
  const child = fork(FLOOD_WORKER, { stdio: 'inherit' });
  child.send({ origin: shop.origin, people, tools, connections, durationMs });
  const [result] = await once(child, 'message');
  return result;
}

async function measureRecovery(client) {
  const startedAt = performance.now();
  while (performance.now() - startedAt < 60_000) {
    const times = await measureReads(client, 1_000);
    if (quantile(times, 0.99) < NORMAL_P99_MS) return performance.now() - startedAt - 1_000;
  }
  return Infinity;
}

export async function overload({ report, chooseSize, seed }) {
  const scenario = await openScenario(seed);
  const client = createClient(scenario.shop.origin, 2);
  const durationMs = chooseSize(30_000, 8_000);
  await runUnderLoad(scenario, () => sleep(3_000));
  const usualFlood = await runFlood(scenario, FEW_CONNECTIONS, 3_000);
  // Opens five connections for each request that the shop answers per second. If the shop refused none, a request would
  // wait about five seconds in the queue.
  const connections = Math.min(MANY_CONNECTIONS.most, Math.max(MANY_CONNECTIONS.least, 5 * usualFlood.perSecond));
  const { statuses, times, withoutRetryAfter, perSecond } = await runFlood(scenario, connections, durationMs);
  const recoveryMs = await measureRecovery(client);
  const unexpected = Object.keys(statuses).filter((status) => !['200', '201', '429', '503'].includes(status));
  report.note(
    `${usualFlood.perSecond} responses per second with ${FEW_CONNECTIONS} connections, ${perSecond} with ${connections} connections. Statuses of the latter: ${JSON.stringify(statuses)}`,
  );
  report.check('responses other than 200, 201, 429 and 503', formatList(unexpected), '0', unexpected.length === 0);
  report.check('responses with 503', statuses[503] ?? 0, 'at least 1', statuses[503] > 0);
  report.check('responses with 429 or 503 without Retry-After', withoutRetryAfter, '0', withoutRetryAfter === 0);
  report.checkTimes('p99 of accepted requests', [quantile(times, 0.99)], ACCEPTED_P99_MS);
  report.checkTimes(
    `time until p99 is below ${NORMAL_P99_MS} ms again, after ${durationMs / 1000} s of overload`,
    [recoveryMs],
    RECOVERY_LIMIT_MS,
  );
  const { touched } = await runUnderLoad(scenario, () => sleep(1_000));
  const lost = await verifyOrders(scenario.client, touched);
  report.check('lost orders after the overload', formatList(lost), '0', lost.length === 0);
  await runDoctor(report, scenario.shop);
}
