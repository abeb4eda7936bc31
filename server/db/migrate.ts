import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { findProjectRoot } from '../projectRoot';
import type { Db } from './database';
import { ADVISORY_LOCKS } from './locks';

/** If several servers start at the same time, one of them applies the pending migrations while the others wait. */
export async function migrateDatabase({ $client: { options } }: Db): Promise<void> {
  const client = new Client({ ...options, password: options.password, query_timeout: undefined });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`);
    // The lock ends with the connection.
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    await migrate(drizzle(client), { migrationsFolder: join(findProjectRoot(), 'server/db/migrations') });
  } finally {
    await client.end();
  }
}
