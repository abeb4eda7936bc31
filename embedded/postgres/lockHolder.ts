import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { isConnectionLost } from './tryConnect';
import { postgresAddressOf } from './postgresAddress';
import type { DataFolder } from './dataFolder';
import { DATABASE_NAME } from './serverOptions';
import { startOrAdopt, type PostgresInstance } from './startOrAdopt';

export type TakeLock = (client: Client) => Promise<void>;

export interface LockHolder {
  /**
   * Stops reconnecting when the connection ends.
   * @returns the connection, which still has the lock, or undefined if it is lost
   */
  stopWatching(): Promise<Client | undefined>;
}

const RETRY_DELAY_MS = 1_000;

const ALREADY_EXISTS_CODES = ['42710', '42P04', '23505'];

async function createUnlessExists(client: Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: { code?: string }) => {
    if (!ALREADY_EXISTS_CODES.includes(error.code ?? '')) throw error;
  });
}

/** The shop's role can create databases, but is no superuser. So it cannot access files or run programs. */
async function ensureDatabase(client: Client, dataFolder: DataFolder): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE_NAME]);
  if (rowCount) return;
  const { password } = postgresAddressOf(dataFolder, undefined);
  const secret = password ? ` password ${client.escapeLiteral(password)}` : '';
  await createUnlessExists(client, `create role ${DATABASE_NAME} login createdb${secret}`);
  await createUnlessExists(client, `create database ${DATABASE_NAME} owner ${DATABASE_NAME}`);
}

/** Retries if the connection is lost, because another process may be stopping this postmaster. */
export async function connectAndLock(instance: PostgresInstance, takeLock: TakeLock): Promise<Client> {
  for (;;) {
    const client = await startOrAdopt(instance);
    try {
      await takeLock(client);
      await ensureDatabase(client, instance.dataFolder);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!isConnectionLost(error)) throw error;
    }
  }
}

/** Keeps the connection that has the lock. If it is lost, starts PostgreSQL if needed, reconnects and locks again. */
export async function holdLock(instance: PostgresInstance, takeLock: TakeLock): Promise<LockHolder> {
  let [connection, isStopping]: [Client | undefined, boolean] = [undefined, false];
  let reconnecting: Promise<void> | undefined;

  async function openLockConnection() {
    const client = await connectAndLock(instance, takeLock);
    connection = client.once('end', () => {
      connection = undefined;
      if (!isStopping) reconnecting = reconnect();
    });
  }

  async function reconnect() {
    instance.log('connection to PostgreSQL lost, reconnecting');
    for (let hasLogged = false; !isStopping; await sleep(RETRY_DELAY_MS)) {
      try {
        await openLockConnection();
        return instance.log('connection to PostgreSQL restored');
      } catch (error) {
        if (!hasLogged) instance.log(error instanceof Error ? error.message : String(error));
        hasLogged = true;
      }
    }
  }

  await openLockConnection();
  return {
    async stopWatching() {
      isStopping = true;
      await Promise.race([reconnecting, sleep(RETRY_DELAY_MS, undefined, { ref: false })]);
      return connection;
    },
  };
}
