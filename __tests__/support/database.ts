import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type DatabaseError, type PoolConfig } from 'pg';

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
const PATIENCE_MS = 30_000;

/** A worker of autovacuum that happens to be in it may not be sent away, and leaves by itself. */
async function dropDatabase(client: Client, name: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    try {
      return void (await client.query(`drop database if exists ${name} with (force)`));
    } catch (error) {
      if ((error as DatabaseError).code !== NOT_OURS_TO_END || Date.now() > end) throw error;
    }
  }
}

export interface TestDatabase {
  connection: PoolConfig;
  /** The same as a DATABASE_URL. */
  url: string;
  drop(): Promise<void>;
}

/** A database of one's own, migrated and empty: a copy of the template, in a tenth of a second. */
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
