import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { summarizeStatement, timeStatement } from './statementTimes';

export type Db = NodePgDatabase & { $client: Pool };
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

/**
 * The settings of every session, as PostgreSQL displays them. The timeouts keep a query from waiting forever.
 * `synchronous_commit` makes sure that acknowledged writes are on disk.
 */
export const SESSION_SETTINGS = {
  lock_timeout: '3s',
  statement_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  timezone: 'UTC',
};
export const SESSION_OPTIONS = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replace(' ', '\\ ')}`)
  .join(' ');

/**
 * The database aborts statements after `statement_timeout`. If there is no response some time after that, the database
 * is unreachable.
 */
const QUERY_TIMEOUT_MS = 7_000;

/** A connection that is released during a query has timed out, so it must not be used again. */
const isHung = (client: PoolClient) => (client as PoolClient & { readyForQuery?: boolean }).readyForQuery === false;

export function openPool(connection: PoolConfig, onIdleError: (error: Error) => void, max = 10): Db {
  const pool = new Pool({
    max,
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 30_000,
    query_timeout: QUERY_TIMEOUT_MS,
    options: SESSION_OPTIONS,
    ...connection,
  });
  pool.on('error', onIdleError);
  pool.on('connect', nameAndTimeStatements);
  // Without a listener, an error between two statements of a transaction would end the process. The caller still gets
  // the error, because the next statement fails.
  pool.on('connect', (client) => void client.on('error', onIdleError));
  pool.on('release', (_error, client) => {
    if (isHung(client)) void client.end();
  });
  return releaseConnections(drizzle(pool));
}

/**
 * Limits the memory that prepared statements take in the database. The server has far fewer statements, but one with a
 * list of values has a different text for each length of the list.
 */
const MAX_STATEMENT_NAMES = 500;
const statementNames = new Map<string, string>();

function statementNameOf(text: string): string | undefined {
  const found = statementNames.get(text);
  if (found || statementNames.size >= MAX_STATEMENT_NAMES) return found;
  const name = `s${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

interface Statement {
  text: string;
  name?: string;
}

const isStatement = (query: unknown): query is Statement =>
  typeof query === 'object' && query !== null && 'text' in query && !('submit' in query);

/** The name of a statement in the log: its own name, or a summary of its text. */
const readableNameOf = (statement: unknown): string => {
  if (!isStatement(statement)) return typeof statement === 'string' ? summarizeStatement(statement) : 'other';
  return statement.name ?? summarizeStatement(statement.text);
};

/**
 * Gives a name to each statement that has parameters, so that PostgreSQL parses it only once per connection. Also
 * measures how long statements take.
 */
function nameAndTimeStatements(client: PoolClient): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  client.query = ((statement: unknown, ...rest: unknown[]) => {
    const [values] = rest;
    const isUnnamed = isStatement(statement) && statement.name === undefined;
    const hasParameters = Array.isArray(values) && values.length > 0;
    const named = isUnnamed && hasParameters ? { ...statement, name: statementNameOf(statement.text) } : statement;
    return timeStatement(
      () => readableNameOf(statement),
      () => query(named, ...rest),
    );
  }) as typeof client.query;
}

/**
 * Works around a connection leak in Drizzle. If `begin` fails, its `transaction` on a pool never releases the
 * connection (https://github.com/drizzle-team/drizzle-orm/issues/6023).
 */
function releaseConnections(db: Db): Db {
  const drizzleByClient = new WeakMap<PoolClient, NodePgDatabase>();
  function drizzleOn(client: PoolClient) {
    const found = drizzleByClient.get(client) ?? drizzle(client);
    drizzleByClient.set(client, found);
    return found;
  }
  db.transaction = async (work, config) => {
    const client = await db.$client.connect();
    try {
      return await drizzleOn(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return db;
}
