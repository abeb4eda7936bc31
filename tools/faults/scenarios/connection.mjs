import { setTimeout as sleep } from 'node:timers/promises';
import { NEEDS_SYSTEM_POSTGRES, hasSystemPostgres, startSystemPostgres } from '../lib/systemPostgres.mjs';
import { verifyOrders, verifyLists } from '../lib/verifyOrders.mjs';
import { startFaultyProxy } from '../lib/faultyProxy.mjs';
import { formatList } from '../lib/report.mjs';
import { openScenario, runUnderLoad } from '../lib/scenario.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';
import { waitUntilRecovered } from '../lib/waitUntilRecovered.mjs';

const BLACK_HOLE_MS = 30_000;

/** Faults of the connection to PostgreSQL. A fault is over when the promise of its function resolves. */
const FAULTS = {
  reset: async (proxy) => proxy.reset(),
  refused: async (proxy, random) => {
    proxy.isRefusing = true;
    proxy.reset();
    await sleep(random.integer(500, 3_000));
    proxy.isRefusing = false;
  },
  slow: async (proxy, random) => {
    proxy.delayMs = random.integer(50, 400);
    await sleep(3_000);
    proxy.delayMs = 0;
  },
  'black hole': async (proxy, random, isFull) => {
    proxy.isBlackHole = true;
    await sleep(isFull ? BLACK_HOLE_MS : random.integer(2_000, 12_000));
    proxy.isBlackHole = false;
  },
  /** Simulates a failed database machine whose IP address has moved: the open connections never receive data again. */
  stranded: async (proxy, random) => {
    proxy.strand();
    await sleep(random.integer(100, 1_000));
  },
};

async function measureFault(scenario, proxy, kind, isFull) {
  let recoveryMs = 0;
  const { touched } = await runUnderLoad(scenario, async () => {
    await sleep(scenario.random.integer(100, 600));
    await FAULTS[kind](proxy, scenario.random, isFull);
    recoveryMs = await waitUntilRecovered(scenario);
  });
  scenario.lost.push(...(await verifyOrders(scenario.client, touched)));
  return recoveryMs;
}

export async function connection({ report, chooseSize, seed }) {
  if (!hasSystemPostgres()) return report.note(`Not run: ${NEEDS_SYSTEM_POSTGRES}.`);
  const postgres = await startSystemPostgres();
  const proxy = await startFaultyProxy(postgres.port);
  const scenario = await openScenario(seed, { DATABASE_URL: postgres.url.replace(postgres.port, proxy.port) });
  const rounds = chooseSize(20, 5);
  const kinds = Object.keys(FAULTS);
  const times = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let n = 0; n < rounds; n++) {
    const kind = kinds[n % kinds.length];
    times[kind].push(await measureFault(scenario, proxy, kind, n < kinds.length && rounds >= 20));
  }
  const { entries, lost, unexpectedResponses, client, people, shop } = scenario;
  report.check(
    `orders lost after ${rounds} connection faults (of ${entries.length} orders)`,
    formatList(lost),
    '0',
    lost.length === 0,
  );
  for (const kind of kinds)
    report.checkTimes(
      `${kind}: time until orders are accepted again`,
      times[kind],
      kind === 'stranded' ? 15_000 : 5_000,
    );
  report.check(
    'unexpected responses besides 429 and 503',
    formatList(unexpectedResponses),
    '0',
    unexpectedResponses.length === 0,
  );
  const listProblems = await verifyLists(client, people, entries);
  report.check('orders listed twice, unknown or missing', formatList(listProblems), '0', listProblems.length === 0);
  report.check('the server process survived', shop.isRunning() ? 'yes' : 'no', 'yes', shop.isRunning());
  await runDoctor(report, shop);
}
