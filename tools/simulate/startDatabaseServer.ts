import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';
import { startPostgres } from '../../embedded/postgres';
import { frozenSessions } from './frozenSessions';

export interface DatabaseServer {
  connection: ClientConfig;
  stop(): Promise<void>;
}

/** Lets pg parse the URL, so that every form of URL that pg accepts works. */
function parseDatabaseUrl(url: string): ClientConfig {
  const { host, port, user, password, database, ssl } = new Client(url);
  return { host, port, user, password: password ?? undefined, database, ssl };
}

/** Uses the server in DATABASE_URL, or starts the embedded PostgreSQL in a folder that `stop` deletes. */
export async function startDatabaseServer({ DATABASE_URL }: NodeJS.ProcessEnv): Promise<DatabaseServer> {
  if (DATABASE_URL) return { connection: parseDatabaseUrl(DATABASE_URL), stop: () => Promise.resolve() };
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-simulate-'));
  const server = await startPostgres(folder, () => undefined);
  frozenSessions.isAllowed = true;
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { connection: server.connection, stop };
}
