import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { parse } from 'pg-connection-string';
import type { EmbeddedPostgres } from '../../../embedded/postgres';
import { openPool } from '../../../server/db/database';
import { migrateDatabase } from '../../../server/db/migrate';
import { withServerConnection, TEMPLATE, testServer } from '../database';
import { startQuickPostgres } from './quickPostgres';

export interface Running {
  database?: EmbeddedPostgres;
  folder?: string;
  stopShop?: () => Promise<void>;
  stopBrowser?: () => Promise<void>;
}

/** Everything that the run started. The teardown runs in the same process and stops it. */
export const running = ((globalThis as { forgelineRun?: Running }).forgelineRun ??= {});

async function findOrStartServer(): Promise<PoolConfig> {
  const url = process.env['DATABASE_URL'];
  if (url) {
    const { host, port, user, password, database } = parse(url);
    return { host: host ?? 'localhost', port: Number(port || 5432), user, password, database: database ?? 'postgres' };
  }
  running.folder = mkdtempSync(join(tmpdir(), 'forgeline-test-'));
  running.database = await startQuickPostgres(running.folder);
  return running.database.connection;
}

/** Provides one PostgreSQL for the run, with a migrated template database that each test file copies. */
export default async function databaseSetup(): Promise<void> {
  if (process.env['TEST_POSTGRES']) return;
  process.env['TEST_POSTGRES'] = JSON.stringify(await findOrStartServer());
  await withServerConnection(async (client) => {
    await client.query(`drop database if exists ${TEMPLATE}`);
    await client.query(`create database ${TEMPLATE} template template0 encoding 'UTF8'`);
  });
  const db = openPool({ ...testServer(), database: TEMPLATE }, () => undefined, 1);
  await migrateDatabase(db);
  await db.$client.end();
}
