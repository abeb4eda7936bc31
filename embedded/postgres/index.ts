import type { Client } from 'pg';
import { findBinaries } from './binaries';
import { ensureCluster, requireCluster } from './cluster';
import { removeSocketFolder } from './postgresAddress';
import { openDataFolder } from './dataFolder';
import { connectAndLock, holdLock, type TakeLock } from './lockHolder';
import { lockAsServer, lockAsAttached, lockIfLast } from './locks';
import { DATABASE_NAME } from './serverOptions';
import { readPidFile } from './pidfile';
import { stopPostmaster } from './postmaster';
import { isPostmasterOf } from './processes';
import type { PostgresInstance } from './startOrAdopt';

export interface EmbeddedPostgres {
  connection: { host: string; port: number; user: string; password?: string; database: string };
  /** The folder with the database's files. */
  folder: string;
  stop(): Promise<void>;
}

function openInstance(dataDir: string, log: (message: string) => void): PostgresInstance {
  const dataFolder = openDataFolder(dataDir, log);
  return { dataFolder, binaries: findBinaries(dataFolder), log };
}

function connectionOf(instance: PostgresInstance): EmbeddedPostgres['connection'] {
  const { host = '', port = 0, password } = instance.address ?? {};
  return { host, port, user: DATABASE_NAME, database: DATABASE_NAME, ...(password && { password }) };
}

async function shutDown({ dataFolder, binaries, address }: PostgresInstance, lockClient: Client): Promise<void> {
  const pid = readPidFile(dataFolder.cluster)?.pid;
  if (pid && isPostmasterOf(dataFolder.cluster, pid)) await stopPostmaster(binaries, dataFolder, pid);
  if (address) removeSocketFolder(address);
  await lockClient.end().catch(() => undefined);
}

/**
 * Starts the cluster in `dataDir`, or adopts a PostgreSQL that kept running after its server was killed. While this
 * server runs, no other server can use `dataDir`.
 */
export async function startPostgres(dataDir: string, log: (message: string) => void): Promise<EmbeddedPostgres> {
  const instance = openInstance(dataDir, log);
  await ensureCluster(instance.binaries, instance.dataFolder, log);
  const takeLock: TakeLock = async (client) => {
    if (await lockAsServer(client)) return;
    throw new Error(
      `Another server is running on DATA_DIR (${instance.dataFolder.dataDir}): stop it, or set another DATA_DIR.`,
    );
  };
  const holder = await holdLock(instance, takeLock);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    const lockClient = await holder.stopWatching();
    if (lockClient) await shutDown(instance, lockClient);
  };
  return { connection: connectionOf(instance), folder: instance.dataFolder.folder, stop: () => (stopping ??= stop()) };
}

/**
 * For the operator's commands. Joins the PostgreSQL of a running server or command, or starts one. `stop` leaves it
 * running while a server or another command uses it.
 */
export async function attachPostgres(dataDir: string, log: (message: string) => void): Promise<EmbeddedPostgres> {
  const instance = openInstance(dataDir, log);
  requireCluster(instance.binaries, instance.dataFolder);
  const client = await connectAndLock(instance, lockAsAttached);
  const detach = async () => {
    const isLast = await lockIfLast(client).catch(() => false);
    if (isLast) await shutDown(instance, client);
    else await client.end().catch(() => undefined);
  };
  let detaching: Promise<void> | undefined;
  return {
    connection: connectionOf(instance),
    folder: instance.dataFolder.folder,
    stop: () => (detaching ??= detach()),
  };
}
