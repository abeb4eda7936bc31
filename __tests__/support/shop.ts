import pino from 'pino';
import { readSettings } from '../../server/settings';
import { openShop, type ShopOptions } from '../../server/shop';
import { freshDatabase } from './database';
import { CHEAP_PASSWORDS } from './identity';
import { freePort } from './server';

/** Both live in one process, which also reads the sources. */
export const A_TEST_KEEPS_ITS_SERVER_WAITING_MS = 15_000;

type Options = Partial<Omit<ShopOptions, 'settings' | 'connection'>> & {
  env?: Record<string, string>;
  connection?: ShopOptions['connection'];
};

/** The server itself in this process, listening, on a database of its own unless given one: for clocks, faults and races. */
export async function startShop({ env = {}, connection, ...options }: Options = {}) {
  const database = connection ? undefined : await freshDatabase();
  const port = await freePort();
  const settings = readSettings({ PORT: String(port), DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'silent', ...env });
  const shop = await openShop({
    settings,
    connection: connection ?? database!.connection,
    logger: pino({ level: settings.logLevel }),
    sweeps: false,
    passwordCost: CHEAP_PASSWORDS,
    maxLagMs: A_TEST_KEEPS_ITS_SERVER_WAITING_MS,
    ...options,
  });
  await shop.app.listen({ port, host: '127.0.0.1' });
  const close = async () => {
    await shop.close();
    await database?.drop();
  };
  return { ...shop, origin: `http://127.0.0.1:${port}`, database, close };
}
