import { setTimeout as sleep } from 'node:timers/promises';
import { killPostmaster } from '../lib/killPostmaster.mjs';
import { verifyOrders, verifyLists } from '../lib/verifyOrders.mjs';
import { formatList } from '../lib/report.mjs';
import { openScenario, runUnderLoad } from '../lib/scenario.mjs';
import { findPollProblems, startOrderPoller } from '../lib/orderPoller.mjs';
import { runCommand, runDoctor } from '../lib/shopProcess.mjs';
import { createToolImporter } from '../lib/toolImporter.mjs';

async function killOnce(scenario, round) {
  const { shop, random, folder } = scenario;
  const { touched } = await runUnderLoad(scenario, async () => {
    const imported = scenario.importer.importUntilKilled();
    await sleep(random.integer(50, 700));
    await shop.stop('SIGKILL');
    await imported;
    if (round % 10 === 9) killPostmaster(folder, 'SIGKILL');
  });
  if (round % 10 === 4) await killWhileStarting(shop, random);
  const startMs = await shop.start();
  scenario.lost.push(...(await verifyOrders(scenario.client, touched)));
  scenario.importProblems.push(...(await scenario.importer.verify()));
  return startMs;
}

async function killWhileStarting(shop, random) {
  const starting = shop.start().catch(() => undefined);
  await sleep(random.integer(20, 400));
  await shop.stop('SIGKILL');
  await starting;
}

/** Opens a shop whose orders are polled, and whose tools are imported, by machines. */
async function openScenarioWithMachines(seed) {
  const scenario = await openScenario(seed);
  const { output } = await runCommand(scenario.shop, 'keys', 'add', 'machine', '--may', 'tools,orders');
  const [token] = output.split('\n');
  const importer = await createToolImporter(scenario.client, token);
  return { ...scenario, importer, importProblems: [], stopPolling: startOrderPoller(scenario.client, token) };
}

export async function kills({ report, chooseSize, seed }) {
  const scenario = await openScenarioWithMachines(seed);
  const rounds = chooseSize(200, 15);
  const startTimes = [];
  for (let round = 0; round < rounds; round++) startTimes.push(await killOnce(scenario, round));
  const { client, people, entries, lost, unexpectedResponses, shop } = scenario;
  const acknowledgedCount = entries.filter(({ acknowledged }) => acknowledged.size > 0).length;
  report.check(
    `acknowledged orders lost after killing the server under load ${rounds} times (of ${acknowledgedCount} orders)`,
    formatList(lost),
    '0',
    lost.length === 0,
  );
  const listProblems = await verifyLists(client, people, entries);
  report.check(
    `${entries.length} orders sent: listed twice, unknown or missing`,
    formatList(listProblems),
    '0',
    listProblems.length === 0,
  );
  const seen = await scenario.stopPolling();
  const pollProblems = findPollProblems(seen, entries);
  report.check(
    `orders that a machine missed or saw twice (of ${seen.length} that it saw)`,
    formatList(pollProblems),
    '0',
    pollProblems.length === 0,
  );
  report.check(
    'imports of 500 rows that a kill left half done, lost or repeated',
    formatList(scenario.importProblems),
    '0',
    scenario.importProblems.length === 0,
  );
  report.check('unexpected responses', formatList(unexpectedResponses), '0', unexpectedResponses.length === 0);
  report.checkTimes('time until the server is ready again', startTimes, 6_000);
  await runDoctor(report, shop);
}
