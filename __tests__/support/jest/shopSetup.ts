import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from 'jest';
import databaseSetup, { runResources } from './databaseSetup';
import { createTestDatabase } from '../database';
import { startServer } from '../server';

const FAST_PASSWORDS = pathToFileURL(join(__dirname, '../programs/fastPasswords.mjs')).href;

/** Starts the production build with demo data, on a database of its own. Its password hashes are fast. */
async function startWorkerShop() {
  const { url } = await createTestDatabase();
  const settings = { DATABASE_URL: url, DEMO: 'on', RATE_LIMIT: 'off' };
  const server = await startServer(settings, { execArgv: ['--import', FAST_PASSWORDS] });
  return { server, shop: { origin: server.origin, databaseUrl: url } };
}

/** Starts a shop for each worker, so that no test sees what a test beside it does. */
export default async function shopSetup({ maxWorkers = 1 }: Pick<Config, 'maxWorkers'> = {}): Promise<void> {
  await databaseSetup();
  if (process.env['SHOPS']) return;
  const started = await Promise.all(Array.from({ length: Number(maxWorkers) }, startWorkerShop));
  runResources.stopShops = async () => void (await Promise.all(started.map(({ server }) => server.stop())));
  process.env['SHOPS'] = JSON.stringify(started.map(({ shop }) => shop));
}
