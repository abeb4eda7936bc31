import { checkDatabaseServer } from '../db/checkDatabaseServer';
import { attachPostgres } from '../../embedded/postgres';
import { openPool, type Db } from '../db/database';
import { embeddedServicesOf } from '../db/embeddedServices';
import { migrateDatabase } from '../db/migrate';
import type { Env } from '../settings/readers';
import { readSettings, type Settings } from '../settings/settings';

export interface ShopConnection {
  db: Db;
  settings: Settings;
  close(): Promise<void>;
}

const printProblem = (sentence: string) => void process.stderr.write(`${sentence}\n`);
const MAX_CONNECTIONS = 2;

/**
 * Connects a command to the shop's database.
 * @param openEmbedded `attachPostgres` lets the command run beside a server. `startPostgres` lets it run only alone.
 */
export async function connectToShopDatabase(
  env: Env,
  openEmbedded: typeof attachPostgres = attachPostgres,
): Promise<ShopConnection> {
  const settings = readSettings(env);
  const embedded = settings.databaseUrl ? undefined : await openEmbedded(settings.dataDir, printProblem);
  if (settings.databaseUrl) await checkDatabaseServer(settings.databaseUrl);
  const connection = embedded?.connection ?? { connectionString: settings.databaseUrl };
  // Waits for connections and responses without a timeout, because the machine may be busy and an audit or a backup may
  // take long. The operator can stop it.
  const patience = { connectionTimeoutMillis: 0, query_timeout: 0 };
  const db = openPool({ ...connection, ...patience }, ({ message }) => printProblem(message), MAX_CONNECTIONS);
  const close = async () => {
    await db.$client.end();
    await embedded?.stop();
  };
  await migrateDatabase(db, embeddedServicesOf(settings)).catch(async (error) => {
    await close();
    throw error;
  });
  return { db, settings, close };
}
