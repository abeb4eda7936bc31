import { setTimeout as sleep } from 'node:timers/promises';
import { NEEDS_SYSTEM_POSTGRES, hasSystemPostgres, startSystemPostgres, startStandby } from '../lib/systemPostgres.mjs';
import { verifyOrders, verifyLists } from '../lib/verifyOrders.mjs';
import { startFaultyProxy } from '../lib/faultyProxy.mjs';
import { formatList } from '../lib/report.mjs';
import { openScenario, runUnderLoad } from '../lib/scenario.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';
import { waitUntilRecovered } from '../lib/waitUntilRecovered.mjs';
import { loadTestKit } from '../../scripts/testKit.mjs';

const FAILOVER_LIMIT_MS = 10_000;

const waitUntilSynchronous = (primary) =>
  loadTestKit().waitUntil(() => primary.sql('select sync_state from pg_stat_replication') === 'sync', 10_000);

/** Promotes the standby, as an operator or a failover tool does when the primary fails. */
function promote(standby, proxy) {
  standby.addSettings("synchronous_standby_names = ''");
  standby.pgCtl('promote');
  proxy.targetPort = standby.port;
}

async function failOver(seed) {
  const primary = await startSystemPostgres();
  const standby = await startStandby(primary);
  await waitUntilSynchronous(primary);
  const proxy = await startFaultyProxy(primary.port);
  const scenario = await openScenario(seed, { DATABASE_URL: primary.url.replace(primary.port, proxy.port) });
  let failoverMs = 0;
  const { touched } = await runUnderLoad(scenario, async () => {
    await sleep(3_000);
    const startedAt = performance.now();
    process.kill(primary.pid(), 'SIGKILL');
    promote(standby, proxy);
    await waitUntilRecovered(scenario);
    failoverMs = performance.now() - startedAt;
  });
  scenario.lost.push(...(await verifyOrders(scenario.client, touched)));
  return { scenario, failoverMs };
}

export async function standby({ report, chooseSize, seed }) {
  if (!hasSystemPostgres()) return report.note(`Not run: ${NEEDS_SYSTEM_POSTGRES}.`);
  const rounds = chooseSize(3, 1);
  const times = [];
  for (let n = 0; n < rounds; n++) {
    const { scenario, failoverMs } = await failOver(`${seed} ${n}`);
    times.push(failoverMs);
    const { client, people, entries, lost, unexpectedResponses, shop } = scenario;
    report.check(
      `orders lost after killing the primary and promoting the standby (of ${entries.length} orders)`,
      formatList(lost),
      '0',
      lost.length === 0,
    );
    const listProblems = await verifyLists(client, people, entries);
    report.check('orders listed twice, unknown or missing', formatList(listProblems), '0', listProblems.length === 0);
    report.check(
      'unexpected responses besides 429 and 503',
      formatList(unexpectedResponses),
      '0',
      unexpectedResponses.length === 0,
    );
    report.check('the server process survived', shop.isRunning() ? 'yes' : 'no', 'yes', shop.isRunning());
    await runDoctor(report, shop);
  }
  report.checkTimes('time from the failure of the primary to the next order', times, FAILOVER_LIMIT_MS);
}
