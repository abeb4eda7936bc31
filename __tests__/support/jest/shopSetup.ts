import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import databaseSetup, { runResources } from './databaseSetup';
import { createTestDatabase } from '../database';
import { startServer } from '../server';

const FAST_PASSWORDS = pathToFileURL(join(__dirname, '../programs/fastPasswords.mjs')).href;

/**
 * Starts one shop for the page and browser tests: the production build with demo data, on a database of its own. Its
 * password hashes are fast.
 */
export default async function shopSetup(): Promise<void> {
  await databaseSetup();
  if (process.env['SHOP_ORIGIN']) return;
  const database = await createTestDatabase();
  const settings = { DATABASE_URL: database.url, DEMO: 'on', RATE_LIMIT: 'off' };
  const shop = await startServer(settings, { execArgv: ['--import', FAST_PASSWORDS] });
  runResources.stopShop = shop.stop;
  process.env['SHOP_ORIGIN'] = shop.origin;
  process.env['SHOP_DATABASE_URL'] = database.url;
}
