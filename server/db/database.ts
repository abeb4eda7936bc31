import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import * as schema from './schema';

export type Db = NodePgDatabase<typeof schema> & { $client: Pool };
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

/** For each connection: nothing waits forever, and nothing that was acknowledged is only in memory. */
const SESSION = [
  '-c lock_timeout=3s',
  '-c statement_timeout=5s',
  '-c idle_in_transaction_session_timeout=10s',
  '-c synchronous_commit=on',
  '-c default_transaction_isolation=read\\ committed',
  '-c timezone=UTC',
].join(' ');

/** Longer than any statement may take: a server that has not answered by then is gone. */
const ANSWER_WITHIN_MS = 7_000;

/** A connection that is released while it still waits got no answer in time. It must not be used again. */
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
  pool.on('connect', nameStatements);
  // A connection can also break between two statements of a transaction. Its next statement then fails.
  pool.on('connect', (client) => void client.on('error', onIdleError));
  pool.on('release', (_error, client) => {
    if (isHung(client)) void client.end();
  });
  return releaseConnections(drizzle(pool, { schema }));
}

/** Far more than the program has. Statements with lists of any length would fill the database's memory. */
const MOST_NAMES = 500;
const statementNames = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const found = statementNames.get(text);
  if (found || statementNames.size >= MOST_NAMES) return found;
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

/** Names all statements that have parameters, so that PostgreSQL parses each once per connection. */
function nameStatements(client: PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((statement: unknown, ...rest: unknown[]) => {
    const [values] = rest;
    const isNameless = isStatement(statement) && statement.name === undefined;
    const hasParameters = Array.isArray(values) && values.length > 0;
    return query(isNameless && hasParameters ? { ...statement, name: nameOf(statement.text) } : statement, ...rest);
  }) as typeof client.query;
}

/** On a pool, Drizzle's own `transaction` never releases the connection if `begin` fails. This one always does. */
function releaseConnections(db: Db): Db {
  const known = new WeakMap<PoolClient, NodePgDatabase<typeof schema>>();
  function drizzleOn(client: PoolClient) {
    const found = known.get(client) ?? drizzle(client, { schema });
    known.set(client, found);
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
