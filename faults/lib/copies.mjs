import { balancerOf } from './balancer.mjs';
import { clientOf } from './client.mjs';
import { newPeople, newTools, theAdmin } from './people.mjs';
import { randomOf } from './random.mjs';
import { shopOf } from './shop.mjs';

/** Servers that know of each other only through their PostgreSQL, and the balancer before them. */
export async function openCopies(seed, databaseUrl, env = {}, count = 3) {
  const shops = [];
  for (let n = 0; n < count; n++) shops.push(await shopOf({ DATABASE_URL: databaseUrl, ...env }));
  for (const shop of shops) await shop.start();
  const { origin } = await balancerOf(shops);
  const client = clientOf(origin, 200);
  const admin = await theAdmin(client);
  const people = await newPeople(client, 6);
  const tools = await newTools(client, admin, 4);
  const clients = shops.map((shop) => clientOf(shop.origin));
  return { shops, client, clients, admin, people, tools, random: randomOf(seed), entries: [], wrong: [], lost: [] };
}

export const endCopies = ({ shops }) => Promise.all(shops.map((shop) => shop.end('SIGTERM')));
