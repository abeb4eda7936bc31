import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { parse } from 'pg-connection-string';
import type { EmbeddedPostgres } from '../../../embedded/postgres';
import { getSigningKey } from '../../../embedded/firebase-auth/signingKeys';
import { openPool } from '../../../server/db/database';
import { EMBEDDED_SERVICES } from '../../../server/db/embeddedServices';
import { lockInTransaction } from '../../../server/db/locks';
import { migrateDatabase } from '../../../server/db/migrate';
import { reservePorts } from '../server';
import { createTemplateDatabase } from '../database';
import { startPostgresWithoutFsync } from './postgresWithoutFsync';

interface RunResources {
  database?: EmbeddedPostgres;
  folder?: string;
  stopShops?: () => Promise<void>;
  stopBrowser?: () => Promise<void>;
}

/** Everything that the run has started. The teardown, which runs in the same process, stops it. */
export const runResources = ((globalThis as { forgelineRun?: RunResources }).forgelineRun ??= {});

function parseDatabaseUrl(url: string): PoolConfig {
  const { host, port, user, password, database } = parse(url);
  return { host: host ?? 'localhost', port: Number(port || 5432), user, password, database: database ?? 'postgres' };
}

async function findOrStartPostgres(): Promise<PoolConfig> {
  const url = process.env['DATABASE_URL'];
  if (url) return parseDatabaseUrl(url);
  runResources.folder = mkdtempSync(join(tmpdir(), 'forgeline-test-'));
  runResources.database = await startPostgresWithoutFsync(runResources.folder);
  return runResources.database.connection;
}

/** Provides one PostgreSQL for the run, with a migrated template database that each test file copies. */
export default async function databaseSetup(): Promise<void> {
  await reservePorts();
  if (process.env['TEST_POSTGRES']) return;
  process.env['TEST_POSTGRES'] = JSON.stringify(await findOrStartPostgres());
  const db = openPool(await createTemplateDatabase(), () => undefined, 1);
  await migrateDatabase(db, EMBEDDED_SERVICES);
  // Making a key takes a good part of a second. All databases of a run have the same one.
  await getSigningKey({ db, lockKeys: (tx) => lockInTransaction(tx, 'identity keys'), now: () => new Date() });
  await db.$client.end();
}
