import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { findProjectRoot } from '../projectRoot';
import type { Db } from './database';
import type { DatabaseFeatureSet } from '../settings';
import { runMigration } from './locks';

function openClient({ options }: Db['$client']): Client {
  const client = new Client({ ...options, password: options.password, query_timeout: undefined });
  client.on('error', () => undefined);
  return client;
}

/** If several servers start at the same time, one of them applies the pending migrations while the others wait. */
export async function migrateDatabase(db: Db, features: DatabaseFeatureSet): Promise<void> {
  const client = openClient(db.$client);
  const leaseClient = features === 'minimal' ? openClient(db.$client) : undefined;
  try {
    await client.connect();
    await leaseClient?.connect();
    await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`);
    await runMigration(client, leaseClient, () =>
      migrate(drizzle(client), { migrationsFolder: join(findProjectRoot(), 'server/db/migrations') }),
    );
  } finally {
    await client.end();
    await leaseClient?.end();
  }
}
