import { setTimeout as sleep } from 'node:timers/promises';
import { checkFreshness } from './copiesFreshness.mjs';
import { checkRaces } from './copiesRaces.mjs';
import { checkSharedLimits } from './copiesLimits.mjs';
import { stopCopies, openCopies } from '../lib/shopCopies.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { NEEDS_SYSTEM_POSTGRES, hasSystemPostgres, startSystemPostgres } from '../lib/systemPostgres.mjs';
import { verifyOrders, verifyLists } from '../lib/verifyOrders.mjs';
import { formatList } from '../lib/report.mjs';
import { runUnderLoad } from '../lib/scenario.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';

/** Kills and restarts the servers in turn, under load. Clients retry calls that got no response. */
async function killCopiesInTurn(report, scenario, rounds) {
  const { shops, random, client, people, unexpectedResponses, lost } = scenario;
  const ledger = await runUnderLoad(
    { ...scenario, client: withRetries(client, { serversAreKilled: true }) },
    async () => {
      for (let n = 0; n < rounds; n++) {
        await sleep(random.integer(1_000, 3_000));
        const shop = shops[n % shops.length];
        await shop.stop('SIGKILL');
        await shop.start();
      }
    },
  );
  const failedRetries = ledger.lost + ledger.refused;
  lost.push(...(await verifyOrders(client, ledger.touched)));
  report.check(
    `orders lost after killing a server ${rounds} times (of ${ledger.entries.length} orders)`,
    formatList(lost),
    '0',
    lost.length === 0,
  );
  report.check(
    `errors that remained after retries (of ${ledger.responses} responses)`,
    failedRetries,
    '0',
    failedRetries === 0,
  );
  report.check('unexpected responses', formatList(unexpectedResponses), '0', unexpectedResponses.length === 0);
  const listProblems = await verifyLists(client, people, ledger.entries, true);
  report.check('orders listed twice or missing', formatList(listProblems), '0', listProblems.length === 0);
}

export async function copies({ report, chooseSize, seed }) {
  if (!hasSystemPostgres()) return report.note(`Not run: ${NEEDS_SYSTEM_POSTGRES}.`);
  const postgres = await startSystemPostgres();
  const scenario = await openCopies(seed, postgres.url);
  await checkRaces(report, scenario, chooseSize(5, 2));
  await checkFreshness(report, scenario, chooseSize(20, 8));
  await killCopiesInTurn(report, scenario, chooseSize(30, 4));
  await runDoctor(report, scenario.shops[0]);
  await stopCopies(scenario);
  await checkSharedLimits(report, postgres.url, seed);
}
