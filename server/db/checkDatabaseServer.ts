import { Client } from 'pg';
import { SettingError } from '../settings/readers';
import { findUnmetRequirement } from './serverRequirements';
import { SESSION_OPTIONS } from './database';

const CONNECT_TIMEOUT_MS = 30_000;
/** Each query that checks the database server may take at most this long. */
const QUERY_TIMEOUT_MS = 30_000;

const HINTS: [RegExp, string][] = [
  [/Invalid URL/, '. In a password, write #, /, ?, @ and % as %23, %2F, %3F, %40 and %25'],
  [/startup parameter/, '. Connect to PostgreSQL without a connection pooler'],
];

/** Must not quote the URL, because it contains a password. */
function createConnectionError(cause: Error): SettingError {
  const hint = HINTS.find(([pattern]) => pattern.test(cause.message))?.[1] ?? '';
  return new SettingError(`DATABASE_URL names a database that cannot be used: ${cause.message}${hint}.`, { cause });
}

function openClient(connectionString: string): Client {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    options: SESSION_OPTIONS,
  });
  client.on('error', () => undefined);
  return client;
}

/** @throws SettingError unless DATABASE_URL names a reachable database with all features that the shop relies on */
export async function checkDatabaseServer(connectionString: string): Promise<void> {
  const clients: Client[] = [];
  try {
    clients.push(openClient(connectionString), openClient(connectionString));
    const [client, other] = clients as [Client, Client];
    await client.connect();
    await other.connect();
    const problem = await findUnmetRequirement(client, other);
    if (problem) throw new SettingError(`DATABASE_URL names ${problem}`);
  } catch (error) {
    throw error instanceof SettingError ? error : createConnectionError(error as Error);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}
