import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../lib/client.mjs';
import { startLoad } from '../lib/orderLoad.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { verifyOrders, verifyLists } from '../lib/verifyOrders.mjs';
import { formatList, quantile } from '../lib/report.mjs';
import { openScenario } from '../lib/scenario.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';

const LONG = { readsPerSecond: 450, pauseMs: 30, maxGrowthMbPerMinute: 1 };
/**
 * A third of the usual load, because tests may run at the same time. More growth is allowed, because on a slow machine
 * the server's memory reaches its final size later.
 */
const SHORT = { readsPerSecond: 150, pauseMs: 90, maxGrowthMbPerMinute: 10 };
const READERS = 6;
const P99_LIMIT_MS = 250;
/** Makes every garbage collection a full one, so that uncollected garbage does not count as a leak. */
const FULL_COLLECTIONS = ['--gc-global'];
const MINUTE_MS = 60_000;

/** Reads anonymous memory only, because the system can evict and reload mapped files at any time. */
const readAnonymousMb = (pid) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** @returns the lowest value in each third of the run, because memory may grow in the first third only */
function findLowest(samples, minutes) {
  const thirdAt = (at) => Math.floor((3 * at) / (minutes * MINUTE_MS));
  return [0, 1, 2].map((third) => Math.min(...samples.filter(([at]) => thirdAt(at) === third).map(([, mb]) => mb)));
}

function startReading(client, readsPerSecond) {
  const result = { times: [], unexpectedResponses: [] };
  let isRunning = true;
  const sendRead = () => client.send('GET', '/tool').catch((error) => ({ status: error.message, ms: Infinity }));
  const read = async () => {
    while (isRunning) {
      const startedAt = performance.now();
      const { status, ms } = await sendRead();
      result.times.push(ms);
      if (status !== 200) result.unexpectedResponses.push(status);
      await sleep(Math.max(1, (READERS * 1000) / readsPerSecond - (performance.now() - startedAt)));
    }
  };
  const reading = Promise.all(Array.from({ length: READERS }, read));
  const stop = async () => {
    isRunning = false;
    await reading;
    return result;
  };
  return { stop };
}

async function sampleMemory(pid, durationMs) {
  const samples = [];
  for (const startedAt = performance.now(); performance.now() - startedAt < durationMs; await sleep(1_000))
    samples.push([performance.now() - startedAt, readAnonymousMb(pid)]);
  return samples;
}

/** Simulates customers for a long time, and checks that memory stops growing. Clients retry on 503. */
export async function soak({ report, chooseSize, short, seed }) {
  if (!existsSync('/proc/self/status'))
    return report.note('Not run: it reads the memory of a process from /proc, which this system does not have.');
  const scenario = await openScenario(seed, {}, undefined, FULL_COLLECTIONS);
  const { shop, client, people, tools, random } = scenario;
  const [buyer, reader] = [withRetries(client), withRetries(createClient(shop.origin, READERS))];
  const minutes = chooseSize(30, 3);
  const { readsPerSecond, pauseMs, maxGrowthMbPerMinute: limit } = short ? SHORT : LONG;
  const load = startLoad({ client: buyer, people, tools, random, workers: 2, pauseMs });
  const reading = startReading(reader, readsPerSecond);
  const samples = await sampleMemory(shop.child.pid, minutes * MINUTE_MS);
  const read = await reading.stop();
  const { entries, unexpectedResponses, refused, lost: unanswered, times, touched } = await load.stop();
  const allTimes = [...read.times, ...times];
  const perSecond = Math.round(allTimes.length / (minutes * 60));
  const lowestMb = findLowest(samples, minutes);
  const growth = (lowestMb[2] - lowestMb[1]) / (minutes / 3);
  report.note(
    `${minutes} minutes, ${perSecond} responses per second, ${entries.length} orders, lowest memory in each third: ${lowestMb.map(Math.round).join(', ')} MB`,
  );
  report.check('growth of memory', `${growth.toFixed(2)} MB per minute`, `less than ${limit}`, growth < limit);
  const failures = [
    ...unexpectedResponses,
    ...read.unexpectedResponses,
    ...Array(refused).fill('refused'),
    ...Array(unanswered).fill('no response'),
  ];
  report.check('refused, missing and unexpected responses', formatList(failures), '0', failures.length === 0);
  const retryCount = buyer.retries.count + reader.retries.count;
  if (short) report.note(`${retryCount} retries`);
  else report.checkRare('retries', retryCount, allTimes.length);
  const p99 = quantile(allTimes, 0.99);
  if (short) report.note(`p99 ${Math.round(p99)} ms`);
  else report.checkTimes('p99', [p99], P99_LIMIT_MS, `${Math.round(p99)} ms`);
  const lost = await verifyOrders(client, touched);
  report.check(`lost orders (of ${entries.length})`, formatList(lost), '0', lost.length === 0);
  const listProblems = await verifyLists(client, people, entries);
  report.check('orders listed twice, unknown or missing', formatList(listProblems), '0', listProblems.length === 0);
  await runDoctor(report, shop);
}
