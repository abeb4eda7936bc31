import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import { Client, type ClientBase, type DatabaseError } from 'pg';
import { findProjectRoot } from '../projectRoot';
import type { Db } from './database';
import { findStoredServices, type EmbeddedService } from './embeddedServices';
import { ADVISORY_LOCKS } from './locks';

export const readMigrations = (): MigrationMeta[] =>
  readMigrationFiles({ migrationsFolder: join(findProjectRoot(), 'server/db/migrations') });

/** Drizzle's own names. Each embedded service has a table of this name in its schema. */
const SHOP_SCHEMA = 'drizzle';
const appliedMigrationsIn = (schema: string) => `${schema}.__drizzle_migrations`;

/** @returns the hash of the last migration that was applied */
export async function readSchemaVersion(client: ClientBase, schema = SHOP_SCHEMA): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `select hash as version from ${appliedMigrationsIn(schema)} order by created_at desc limit 1`,
  );
  return rows[0]!.version;
}

/** The first line of a migration with statements like CREATE INDEX CONCURRENTLY. Each of them can run again. */
const WITHOUT_TRANSACTION = '-- without transaction';
/**
 * The previous version serves customers meanwhile, and all requests for a table queue behind a statement that waits to
 * lock it. So it waits only shortly, and is tried again.
 */
const LOCK_TIMEOUT = '500ms';
const LOCK_NOT_AVAILABLE = '55P03';
const PAUSE_MS = 500;

async function retryUntilUnlocked(work: () => Promise<void>): Promise<void> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if ((error as DatabaseError).code !== LOCK_NOT_AVAILABLE) throw error;
      await sleep(PAUSE_MS);
    }
}

async function runInTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Other new servers wait here. They hold no snapshot, because CREATE INDEX CONCURRENTLY would wait for it. */
async function lockMigrations(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ isLocked: boolean }>('select pg_try_advisory_lock($1) as "isLocked"', [
      ADVISORY_LOCKS.migration,
    ]);
    if (rows[0]!.isLocked) return;
    await sleep(PAUSE_MS);
  }
}

async function apply(client: Client, schema: string, { sql, hash, folderMillis }: MigrationMeta): Promise<void> {
  const run = async () => {
    for (const statement of sql) await client.query(statement);
    await client.query(`insert into ${appliedMigrationsIn(schema)} (hash, created_at) values ($1, $2)`, [
      hash,
      folderMillis,
    ]);
  };
  const needsTransaction = !sql[0]!.startsWith(WITHOUT_TRANSACTION);
  await client.query(`set lock_timeout = '${needsTransaction ? LOCK_TIMEOUT : 0}'`);
  await retryUntilUnlocked(needsTransaction ? () => runInTransaction(client, run) : run);
}

async function applyPending(client: Client, schema: string, migrations: MigrationMeta[]): Promise<void> {
  const applied = appliedMigrationsIn(schema);
  await client.query(`create schema if not exists ${schema}`);
  await client.query(`create table if not exists ${applied}
    (id serial primary key, hash text not null, created_at bigint)`);
  const { rows } = await client.query<{ last: string | null }>(`select max(created_at) as last from ${applied}`);
  const last = Number(rows[0]!.last ?? 0);
  if (last > 0 && last < migrations[0]!.folderMillis)
    throw new Error('An old version of Forgeline made this database. Start each later version once, in turn.');
  for (const migration of migrations) if (migration.folderMillis > last) await apply(client, schema, migration);
}

/**
 * Applies the pending migrations of the shop and of the embedded services: of those that run, and of those that have
 * stored data here. If several servers start at the same time, one of them does so while the others wait.
 */
export async function migrateDatabase(
  { $client: { options } }: Db,
  services: EmbeddedService[],
  migrations = readMigrations(),
): Promise<void> {
  const client = new Client({ ...options, password: options.password, query_timeout: undefined });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    // The lock ends with the connection.
    await lockMigrations(client);
    await applyPending(client, SHOP_SCHEMA, migrations);
    for (const { schema, migrationsFolder } of new Set([...services, ...(await findStoredServices(client))]))
      await applyPending(client, schema, readMigrationFiles({ migrationsFolder }));
  } finally {
    await client.end();
  }
}
