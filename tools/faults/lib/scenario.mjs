import { createClient } from './client.mjs';
import { startLoad } from './orderLoad.mjs';
import { createPeople, createTools, signInAdmin } from './accounts.mjs';
import { createTempFolder } from './tempFolder.mjs';
import { createRandom } from '../../lib/seededRandom.mjs';
import { createShop } from './shopProcess.mjs';

/** Starts a shop with users and tools. `entries` collects the orders of every load that runs on it. */
export async function openScenario(seed, env = {}, folder = createTempFolder(), flags = []) {
  const shop = await createShop({ DATA_DIR: `${folder}/data`, ...env }, flags);
  await shop.start();
  const client = createClient(shop.origin);
  const people = await createPeople(client, 6);
  const tools = await createTools(client, await signInAdmin(client), 4);
  return {
    folder,
    shop,
    client,
    people,
    tools,
    random: createRandom(seed),
    entries: [],
    unexpectedResponses: [],
    lost: [],
  };
}

/**
 * Runs the work while simulated customers use the shop.
 * @returns the ledger of what these customers did
 */
export async function runUnderLoad(scenario, work) {
  const { client, people, tools, random } = scenario;
  const load = startLoad({ client, people, tools, random });
  await work(load.ledger);
  const { entries, unexpectedResponses } = await load.stop();
  scenario.entries.push(...entries);
  scenario.unexpectedResponses.push(...unexpectedResponses);
  return load.ledger;
}
