import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPeople, createTool, refreshAdminToken } from '../lib/accounts.mjs';
import { createOrderClient } from '../lib/orderClient.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { openCopies, stopCopies } from '../lib/shopCopies.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';
import { hasSystemPostgres, NEEDS_SYSTEM_POSTGRES, startSystemPostgres } from '../lib/systemPostgres.mjs';

const CUSTOMERS = 200;
const CHANGES = 50;
const CHANGES_PER_KILL = 10;
const INITIAL_STOCK = 100;

const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** @returns the changes that the shop acknowledged. It refuses to remove more pieces than are in stock. */
async function restock({ client, admin, random, unexpectedResponses, kill }, tool) {
  const retrying = withRetries(client, { serversAreKilled: true });
  const changes = [];
  for (let n = 0; n < CHANGES; n++) {
    await refreshAdminToken(retrying, admin);
    const change = random.integer(0, 4) === 0 ? -random.integer(1, 5) : random.integer(1, 20);
    const response = retrying.send('PATCH', `/tool/${tool._id}`, {
      token: admin.token,
      body: { stockChange: change },
      headers: { 'idempotency-key': randomUUID() },
    });
    if (n % CHANGES_PER_KILL === CHANGES_PER_KILL - 1) await kill();
    const { status, text } = await response;
    if (status === 200) changes.push(change);
    else if (status !== 422 || change > 0) unexpectedResponses.push(`${status} ${text.slice(0, 200)}`);
  }
  return changes;
}

/**
 * Places one order for each customer, at a random time during the changes.
 * @returns how many pieces they got
 */
async function orderAll({ client, random, people, unexpectedResponses }, tool) {
  const orderClient = createOrderClient(withRetries(client, { serversAreKilled: true }));
  const entries = people.map((person) => orderClient.createEntry(person, tool, random.integer(1, 8)));
  const place = async (entry) => {
    await sleep(random.integer(0, 3_000));
    const { status, text, body } = await orderClient.place(entry);
    if (status !== 201) unexpectedResponses.push(`${status} ${text.slice(0, 200)}`);
    return status === 201 && body.price !== null ? body.totalQuantity : 0;
  };
  return sumOf(await Promise.all(entries.map(place)));
}

function createKill({ shops, random }) {
  let kills = 0;
  return async () => {
    await sleep(random.integer(0, 20));
    const shop = shops[kills++ % shops.length];
    await shop.stop('SIGKILL');
    await shop.start();
  };
}

/** An admin changes the stock by differences while customers order. Both servers are killed in turn. */
export async function restocking({ report, chooseSize, seed }) {
  if (!hasSystemPostgres()) return report.note(`Not run: ${NEEDS_SYSTEM_POSTGRES}.`);
  const postgres = await startSystemPostgres();
  const scenario = await openCopies(seed, postgres.url, {}, 2);
  const customers = await createPeople(scenario.client, CUSTOMERS);
  const kill = createKill(scenario);
  const rounds = chooseSize(10, 1);
  const differences = [];
  for (let round = 0; round < rounds; round++) {
    const tool = await createTool(withRetries(scenario.client), scenario.admin, { availableQuantity: INITIAL_STOCK });
    const [changes, sold] = await Promise.all([
      restock({ ...scenario, kill }, tool),
      orderAll({ ...scenario, people: customers }, tool),
    ]);
    const remaining = Number(postgres.sql(`select available_quantity from tools where id = '${tool._id}'`));
    differences.push(remaining - (INITIAL_STOCK + sumOf(changes) - sold));
    report.note(
      `${sold} pieces sold, ${changes.length} stock changes (${sumOf(changes)} pieces in all), ${remaining} pieces left`,
    );
  }
  const kills = CHANGES / CHANGES_PER_KILL;
  const label = `excess or missing pieces after each of ${rounds} rounds (${CHANGES} stock changes, ${CUSTOMERS} orders and ${kills} server kills)`;
  const isExact = differences.every((difference) => difference === 0);
  report.check(label, differences.join(', '), '0', isExact);
  report.check(
    'unexpected responses',
    scenario.unexpectedResponses.join('; ') || '0',
    '0',
    scenario.unexpectedResponses.length === 0,
  );
  await runDoctor(report, scenario.shops[0]);
  await stopCopies(scenario);
}
