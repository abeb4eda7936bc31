import { startBalancer } from './balancer.mjs';
import { createClient } from './client.mjs';
import { createPeople, createTools, signInAdmin } from './accounts.mjs';
import { createRandom } from '../../lib/seededRandom.mjs';
import { createShop } from './shopProcess.mjs';

/** Starts several servers on one PostgreSQL, and a load balancer in front of them. */
export async function openCopies(seed, databaseUrl, env = {}, count = 3) {
  const shops = [];
  for (let n = 0; n < count; n++) shops.push(await createShop({ DATABASE_URL: databaseUrl, ...env }));
  return startCopies(seed, shops);
}

/** Starts a server on each machine, with the machine's own address of the database. */
export async function openCopiesOnMachines(seed, machines, env) {
  const shops = [];
  for (const machine of machines)
    shops.push(await createShop({ DATABASE_URL: machine.databaseUrl, ...env }, [], machine));
  return startCopies(seed, shops, { checksReadiness: true });
}

async function startCopies(seed, shops, options) {
  for (const shop of shops) await shop.start();
  const { origin } = await startBalancer(shops, options);
  const client = createClient(origin, 200);
  const admin = await signInAdmin(client);
  const people = await createPeople(client, 6);
  const tools = await createTools(client, admin, 4);
  const clients = shops.map((shop) => createClient(shop.origin));
  return {
    shops,
    origin,
    client,
    clients,
    admin,
    people,
    tools,
    random: createRandom(seed),
    entries: [],
    unexpectedResponses: [],
    lost: [],
  };
}

export const stopCopies = ({ shops }) => Promise.all(shops.map((shop) => shop.stop('SIGTERM')));
