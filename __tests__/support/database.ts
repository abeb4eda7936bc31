import { randomBytes } from 'node:crypto';
import { Client, type DatabaseError, type PoolConfig } from 'pg';
import type { Db } from '../../server/db/database';
import { shopDatabaseUrl } from './api';
import { expectEventually, waitUntil } from './wait';

const TEMPLATE_DATABASE = 'forgeline_template';

/** The PostgreSQL of the run: DATABASE_URL, or the embedded one that the run started. */
export function testPostgresConfig(): PoolConfig {
  return JSON.parse(process.env['TEST_POSTGRES'] ?? '{}') as PoolConfig;
}

async function withPostgresConnection<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(testPostgresConfig());
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Retries while an autovacuum worker is connected. This role may not terminate it, but it soon disconnects. */
async function dropDatabase(client: Client, name: string): Promise<void> {
  await waitUntil(async () => {
    try {
      return await client.query(`drop database if exists ${name} with (force)`);
    } catch (error) {
      if ((error as DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
      return undefined;
    }
  });
}

/** Long, because a test may send more requests at once than the pool has connections, on a slow machine. */
const CONNECTION_TIMEOUT_MS = 100_000;

/**
 * Creates the database that `createTestDatabase` copies, without tables.
 * @returns its connection
 */
export async function createTemplateDatabase(): Promise<PoolConfig> {
  await withPostgresConnection(async (client) => {
    await client.query(`drop database if exists ${TEMPLATE_DATABASE}`);
    await client.query(`create database ${TEMPLATE_DATABASE} template template0 encoding 'UTF8'`);
  });
  return { ...testPostgresConfig(), database: TEMPLATE_DATABASE };
}

/**
 * Creates an empty database, which takes about 0.1 s. By default, it is a copy of the migrated template. The template
 * `template0` has no tables, for tests of the migrations.
 */
export async function createTestDatabase(template: 'template0' | typeof TEMPLATE_DATABASE = TEMPLATE_DATABASE) {
  const name = `forgeline_${randomBytes(6).toString('hex')}`;
  await withPostgresConnection((client) => client.query(`create database ${name} template ${template}`));
  const connection = { ...testPostgresConfig(), database: name, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS };
  const drop = () => withPostgresConnection((client) => dropDatabase(client, name));
  const url = urlOf(connection);
  return { connection, url, env: { DATABASE_URL: url }, drop };
}

export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

function urlOf({ host = '', port, user = '', password, database }: PoolConfig): string {
  const credentials = encodeURIComponent(user) + (password ? `:${encodeURIComponent(String(password))}` : '');
  const isSocket = host.startsWith('/');
  const address = isSocket ? '' : `${host}:${port}`;
  const parameters = isSocket ? `?host=${encodeURIComponent(host)}&port=${port}` : '';
  return `postgres://${credentials}@${address}/${database}${parameters}`;
}

/** Runs SQL, by default in the database of the shop that page and browser tests use. */
export async function query<Row extends object>(
  text: string,
  values: unknown[] = [],
  connection: string | PoolConfig = shopDatabaseUrl(),
): Promise<Row[]> {
  const client = new Client(connection);
  await client.connect();
  const { rows } = await client.query<Row>(text, values).finally(() => client.end());
  return rows;
}

/** Waits until this many connections of the database are waiting for a lock. */
export const waitUntilBlocked = ({ db }: { db: Db }, count = 1) =>
  expectEventually(async () => {
    const { rowCount } = await db.$client.query(`
      select distinct pid from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`);
    return rowCount;
  }, count);
