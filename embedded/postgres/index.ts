import type { Client } from 'pg';
import { findBinaries } from './binaries';
import { ensureCluster, requireCluster } from './cluster';
import { forgetEndpoint } from './endpoint';
import { openDataFolder } from './dataFolder';
import { connectAndLock, holdLock, type ServerClaim } from './lockHolder';
import { claimServer, joinVisitors, lastToLeave } from './locks';
import { NAME } from './serverOptions';
import { readPidFile } from './pidfile';
import { stopPostmaster } from './postmaster';
import { isPostmasterOf } from './processes';
import type { EmbeddedServer } from './startOrAdopt';

export interface EmbeddedPostgres {
  connection: { host: string; port: number; user: string; password?: string; database: string };
  /** Where its files are. */
  folder: string;
  stop(): Promise<void>;
}

function open(dataDir: string, say: (sentence: string) => void): EmbeddedServer {
  const dataFolder = openDataFolder(dataDir, say);
  return { dataFolder, binaries: findBinaries(dataFolder), say };
}

function described(server: EmbeddedServer): EmbeddedPostgres['connection'] {
  const { host = '', port = 0, password } = server.endpoint ?? {};
  return { host, port, user: NAME, database: NAME, ...(password && { password }) };
}

async function shutDown({ dataFolder, binaries, endpoint }: EmbeddedServer, holder: Client): Promise<void> {
  const pid = readPidFile(dataFolder.cluster)?.pid;
  if (pid && isPostmasterOf(dataFolder.cluster, pid)) await stopPostmaster(binaries, dataFolder, pid);
  if (endpoint) forgetEndpoint(endpoint);
  await holder.end().catch(() => undefined);
}

/** Starts (or adopts after a kill -9) the cluster in dataDir and is its one server until stopped. */
export async function startPostgres(dataDir: string, say: (sentence: string) => void): Promise<EmbeddedPostgres> {
  const server = open(dataDir, say);
  await ensureCluster(server.binaries, server.dataFolder, say);
  const claim: ServerClaim = async (client) => {
    if (await claimServer(client)) return;
    throw new Error(
      `Another server is running on DATA_DIR (${server.dataFolder.dataDir}): stop it, or name another folder.`,
    );
  };
  const holder = await holdLock(server, claim);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    const connection = await holder.release();
    if (connection) await shutDown(server, connection);
  };
  return { connection: described(server), folder: server.dataFolder.folder, stop: () => (stopped ??= stop()) };
}

/** For programs beside the server: joins whatever runs and leaves it, or starts it and the last one out stops it. */
export async function attachPostgres(dataDir: string, say: (sentence: string) => void): Promise<EmbeddedPostgres> {
  const server = open(dataDir, say);
  requireCluster(server.binaries, server.dataFolder);
  const visitor = await connectAndLock(server, joinVisitors);
  const leave = async () => {
    const last = await lastToLeave(visitor).catch(() => false);
    if (last) await shutDown(server, visitor);
    else await visitor.end().catch(() => undefined);
  };
  let left: Promise<void> | undefined;
  return { connection: described(server), folder: server.dataFolder.folder, stop: () => (left ??= leave()) };
}
