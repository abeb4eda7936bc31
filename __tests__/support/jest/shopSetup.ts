import databaseSetup, { runResources } from './databaseSetup';
import { createTestDatabase } from '../database';
import { startServer } from '../server';

/** Starts one shop for the page and browser tests: the production build with demo data, on a database of its own. */
export default async function shopSetup(): Promise<void> {
  await databaseSetup();
  if (process.env['SHOP_ORIGIN']) return;
  const database = await createTestDatabase();
  const shop = await startServer({ DATABASE_URL: database.url, DEMO: 'on', RATE_LIMIT: 'off' });
  runResources.stopShop = shop.stop;
  process.env['SHOP_ORIGIN'] = shop.origin;
  process.env['SHOP_DATABASE_URL'] = database.url;
}
