import { setTimeout as sleep } from 'node:timers/promises';
import { listOrders, verifyOrders, verifyLists } from '../lib/verifyOrders.mjs';
import { formatList } from '../lib/report.mjs';
import { openScenario, runUnderLoad } from '../lib/scenario.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';

/** @returns the keys of stored orders for which the stopping server sent no response */
async function findUnsentResponses({ client }, touched) {
  const unsent = [];
  const unanswered = [...touched].filter(({ order }) => !order);
  const people = new Set(unanswered.map(({ person }) => person));
  for (const person of people) {
    const storedAddresses = new Set((await listOrders(client, person)).map(({ address }) => address));
    unsent.push(
      ...unanswered.filter((entry) => entry.person === person && storedAddresses.has(entry.key)).map(({ key }) => key),
    );
  }
  return unsent;
}

export async function stops({ report, chooseSize, seed }) {
  const scenario = await openScenario(seed);
  const { shop, random, client } = scenario;
  const rounds = chooseSize(50, 5);
  const [times, codes, unsent] = [[], [], []];
  let partialResponses = 0;
  for (let round = 0; round < rounds; round++) {
    const ledger = await runUnderLoad(scenario, async () => {
      await sleep(random.integer(100, 700));
      const startedAt = performance.now();
      codes.push(await shop.stop('SIGTERM'));
      times.push(performance.now() - startedAt);
    });
    partialResponses += ledger.partialResponses;
    await shop.start();
    unsent.push(...(await findUnsentResponses(scenario, ledger.touched)));
    scenario.lost.push(...(await verifyOrders(client, ledger.touched)));
  }
  const { entries, lost, unexpectedResponses, people } = scenario;
  const wrongCodes = codes.filter((code) => code !== 0);
  report.check(
    `exit codes other than 0 after a SIGTERM under load (of ${rounds})`,
    formatList(wrongCodes),
    '0',
    wrongCodes.length === 0,
  );
  report.check('partial responses', partialResponses, '0', partialResponses === 0);
  report.check('stored orders whose response was not sent', formatList(unsent), '0', unsent.length === 0);
  report.check(`lost orders (of ${entries.length})`, formatList(lost), '0', lost.length === 0);
  report.check('unexpected responses', formatList(unexpectedResponses), '0', unexpectedResponses.length === 0);
  report.checkTimes('time until the server has stopped', times, 10_000);
  const listProblems = await verifyLists(client, people, entries);
  report.check('orders listed twice, unknown or missing', formatList(listProblems), '0', listProblems.length === 0);
  await runDoctor(report, shop);
}
