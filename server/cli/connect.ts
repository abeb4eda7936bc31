import { checkServer } from '../db/checkServer';
import { attachPostgres } from '../../embedded/postgres';
import { openPool, type Db } from '../db/database';
import { migrateDatabase } from '../db/migrate';
import { readSettings, type Settings } from '../settings';

export interface Connected {
  db: Db;
  settings: Settings;
  close(): Promise<void>;
}

type Env = Record<string, string | undefined>;
const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
/** One at a time is enough for a command. */
const CONNECTIONS = 2;

/** The shop's database for a command beside the server, or without it; `embed` may insist on having it alone. */
export async function connect(env: Env, embed: typeof attachPostgres = attachPostgres): Promise<Connected> {
  const settings = readSettings(env);
  const trouble = (error: Error) => say(error.message);
  const embedded = settings.databaseUrl ? undefined : await embed(settings.dataDir, say);
  if (settings.databaseUrl) await checkServer(settings.databaseUrl);
  const connection = embedded?.connection ?? { connectionString: settings.databaseUrl };
  // Audits and backups take what they take, and whoever runs one can end it.
  const db = openPool({ ...connection, query_timeout: 0 }, trouble, CONNECTIONS);
  const close = async () => {
    await db.$client.end();
    await embedded?.stop();
  };
  await migrateDatabase(db).catch(async (error) => {
    await close();
    throw error;
  });
  return { db, settings, close };
}
