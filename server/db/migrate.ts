import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { projectRoot } from '../projectRoot';
import { LOCK } from './advisoryLocks';
import type { Db } from './database';

/** Applies pending migrations. If several servers start simultaneously, one applies them and the others wait. */
export async function migrateDatabase(db: Db): Promise<void> {
  const { options: settings } = db.$client;
  const client = new Client({ ...settings, password: settings.password, query_timeout: undefined });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`);
    await client.query('select pg_advisory_lock($1)', [LOCK.migration]);
    await migrate(drizzle(client), { migrationsFolder: join(projectRoot(), 'server/db/migrations') });
  } finally {
    await client.end();
  }
}
