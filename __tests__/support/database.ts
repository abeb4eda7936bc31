import { randomBytes } from 'node:crypto';
import { Client, type DatabaseError, type PoolConfig } from 'pg';
import type { Db } from '../../server/db/database';
import { expectEventually, waitUntil } from './wait';

export const TEMPLATE = 'forgeline_template';

/** The PostgreSQL that the run started, or was given by DATABASE_URL. */
export function testServer(): PoolConfig {
  return JSON.parse(process.env['TEST_POSTGRES'] ?? '{}') as PoolConfig;
}

export async function onServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(testServer());
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const NOT_OURS_TO_END = '42501';

/** An autovacuum worker may not be ended by us (42501). It leaves by itself. */
async function dropDatabase(client: Client, name: string): Promise<void> {
  await waitUntil(async () => {
    try {
      return await client.query(`drop database if exists ${name} with (force)`);
    } catch (error) {
      if ((error as DatabaseError).code !== NOT_OURS_TO_END) throw error;
      return undefined;
    }
  });
}

export interface TestDatabase {
  connection: PoolConfig;
  /** The connection as a DATABASE_URL. */
  url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database: a copy of the template takes a tenth of a second. */
export const freshDatabase = (): Promise<TestDatabase> => createDatabase(TEMPLATE);

/** Without any table, for a test of migrations: `template0` is PostgreSQL's own. */
export const databaseWithoutTables = (): Promise<TestDatabase> => createDatabase('template0');

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `forgeline_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`create database ${name} template ${template}`));
  const connection = { ...testServer(), database: name };
  const drop = () => onServer((client) => dropDatabase(client, name));
  return { connection, url: urlOf(connection), drop };
}

function urlOf({ host = '', port, user = '', password, database }: PoolConfig): string {
  const who = encodeURIComponent(user) + (password ? `:${encodeURIComponent(String(password))}` : '');
  const socket = host.startsWith('/');
  const where = socket ? '' : `${host}:${port}`;
  return `postgres://${who}@${where}/${database}${socket ? `?host=${encodeURIComponent(host)}&port=${port}` : ''}`;
}

/** Runs SQL in the database of the shop that page and browser tests share, unless another is given. */
export async function query<Row extends object>(
  text: string,
  values: unknown[] = [],
  connectionString = process.env['SHOP_DATABASE_URL'],
): Promise<Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<Row>(text, values).finally(() => client.end());
  return rows;
}

/** Waits until this many connections of the database wait for a lock. */
export const waitUntilBlocked = ({ db }: { db: Db }, many = 1) =>
  expectEventually(async () => {
    const { rowCount } = await db.$client.query(`
      select distinct pid from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`);
    return rowCount;
  }, many);
