import { setTimeout as sleep } from 'node:timers/promises';
import { NEEDS_SYSTEM_POSTGRES, hasSystemPostgres, startSystemPostgres } from '../lib/systemPostgres.mjs';
import { killPostmaster } from '../lib/killPostmaster.mjs';
import { verifyOrders, verifyLists } from '../lib/verifyOrders.mjs';
import { formatList } from '../lib/report.mjs';
import { openScenario, runUnderLoad } from '../lib/scenario.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';
import { waitUntilRecovered } from '../lib/waitUntilRecovered.mjs';

/** Stops PostgreSQL under load. The server must answer 503 until PostgreSQL is back, and recover on its own. */
async function measureRecovery(scenario, stopDatabase) {
  let recoveryMs = 0;
  const { touched } = await runUnderLoad(scenario, async () => {
    await sleep(scenario.random.integer(100, 600));
    await stopDatabase();
    recoveryMs = await waitUntilRecovered(scenario);
  });
  scenario.lost.push(...(await verifyOrders(scenario.client, touched)));
  return recoveryMs;
}

async function reportResults(report, scenario, label, times) {
  const { shop, client, people, entries, lost, unexpectedResponses } = scenario;
  report.check(`orders lost after ${label} (of ${entries.length} orders)`, formatList(lost), '0', lost.length === 0);
  report.check(
    'unexpected responses besides 429 and 503',
    formatList(unexpectedResponses),
    '0',
    unexpectedResponses.length === 0,
  );
  report.checkTimes('time until orders are accepted again', times, 5_000);
  report.check('the server process survived', shop.isRunning() ? 'yes' : 'no', 'yes', shop.isRunning());
  const listProblems = await verifyLists(client, people, entries);
  report.check('orders listed twice, unknown or missing', formatList(listProblems), '0', listProblems.length === 0);
  await runDoctor(report, shop);
}

export async function restarts({ report, chooseSize, seed }) {
  const rounds = chooseSize(20, 3);
  const embedded = await openScenario(seed);
  const times = [];
  for (let n = 0; n < rounds; n++)
    times.push(await measureRecovery(embedded, () => killPostmaster(embedded.folder, 'SIGQUIT')));
  await reportResults(report, embedded, `${rounds} immediate stops of the embedded PostgreSQL`, times);
  await embedded.shop.stop('SIGTERM');

  if (!hasSystemPostgres()) return report.note(`Not run with an external PostgreSQL: ${NEEDS_SYSTEM_POSTGRES}.`);
  const postgres = await startSystemPostgres();
  const scenario = await openScenario(seed, { DATABASE_URL: postgres.url });
  const externalTimes = [];
  for (let n = 0; n < rounds; n++)
    externalTimes.push(await measureRecovery(scenario, () => postgres.restart('immediate')));
  await reportResults(report, scenario, `${rounds} immediate restarts of an external PostgreSQL`, externalTimes);
}
