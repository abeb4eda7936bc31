import { clientOf } from './client.mjs';
import { startLoad } from './load.mjs';
import { newPeople, newTools, theAdmin } from './people.mjs';
import { ownFolder } from './place.mjs';
import { randomOf } from './random.mjs';
import { shopOf } from './shop.mjs';

/** A running shop with people and tools, and the entries of all loads that were on it. */
export async function openScene(seed, env = {}, folder = ownFolder(), flags = []) {
  const shop = await shopOf({ DATA_DIR: `${folder}/data`, ...env }, flags);
  await shop.start();
  const client = clientOf(shop.origin);
  const people = await newPeople(client, 6);
  const tools = await newTools(client, await theAdmin(client), 4);
  return { folder, shop, client, people, tools, random: randomOf(seed), entries: [], wrong: [], lost: [] };
}

/** What the load did while the work went on. */
export async function underLoad(scene, work) {
  const { client, people, tools, random } = scene;
  const load = startLoad({ client, people, tools, random });
  await work(load.ledger);
  const { entries, wrong } = await load.stop();
  scene.entries.push(...entries);
  scene.wrong.push(...wrong);
  return load.ledger;
}
