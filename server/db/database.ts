import { join } from 'node:path';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg';
import { projectRoot } from '../projectRoot';
import { LOCK } from './advisoryLocks';
import * as schema from './schema';
import { rememberStatements } from './statements';
import { returnConnections } from './transactions';

export type Db = NodePgDatabase<typeof schema> & { $client: Pool };
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

/** What each connection promises: nothing waits for ever, nothing acknowledged is only in memory. */
const SESSION = [
  '-c lock_timeout=3s',
  '-c statement_timeout=5s',
  '-c idle_in_transaction_session_timeout=10s',
  '-c synchronous_commit=on',
  '-c default_transaction_isolation=read\\ committed',
  '-c timezone=UTC',
].join(' ');

/** Longer than any statement may take: who has not answered by then is not there any more. */
const ANSWER_WITHIN_MS = 7_000;

/** A connection still waiting when it is given back heard nothing in time, and nobody else shall wait for it. */
const isHung = (client: PoolClient) => (client as PoolClient & { readyForQuery?: boolean }).readyForQuery === false;

export function openPool(connection: PoolConfig, onIdleError: (error: Error) => void, max = 10): Db {
  const pool = new Pool({
    max,
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 30_000,
    query_timeout: ANSWER_WITHIN_MS,
    options: SESSION,
    ...connection,
  });
  pool.on('error', onIdleError);
  pool.on('connect', rememberStatements);
  /** A connection can break between two statements of a transaction too; its next statement says so. */
  pool.on('connect', (client) => void client.on('error', onIdleError));
  pool.on('release', (_error, client) => {
    if (isHung(client)) void client.end();
  });
  return returnConnections(drizzle(pool, { schema }));
}

/** Applies what is not applied yet; of several servers that start at once, one does it and the others wait. */
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
