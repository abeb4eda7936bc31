import type { Client } from 'pg';
import { findBinaries } from './binaries';
import { ensureCluster, requireCluster } from './cluster';
import { forgetEndpoint } from './endpoint';
import { openHome } from './home';
import { enter, keep, type Claim } from './keeper';
import { claimServer, joinVisitors, lastToLeave } from './locks';
import { NAME } from './options';
import { readPidFile } from './pidfile';
import { stopPostmaster } from './postmaster';
import { isPostmasterOf } from './processes';
import type { House } from './reach';

export interface EmbeddedPostgres {
  connection: { host: string; port: number; user: string; password?: string; database: string };
  /** Where its files are. */
  folder: string;
  stop(): Promise<void>;
}

function open(dataDir: string, say: (sentence: string) => void): House {
  const home = openHome(dataDir, say);
  return { home, binaries: findBinaries(home), say };
}

function described(house: House): EmbeddedPostgres['connection'] {
  const { host = '', port = 0, password } = house.endpoint ?? {};
  return { host, port, user: NAME, database: NAME, ...(password && { password }) };
}

async function shutDown({ home, binaries, endpoint }: House, keeper: Client): Promise<void> {
  const pid = readPidFile(home.cluster)?.pid;
  if (pid && isPostmasterOf(home.cluster, pid)) await stopPostmaster(binaries, home, pid);
  if (endpoint) forgetEndpoint(endpoint);
  await keeper.end().catch(() => undefined);
}

/** Starts (or adopts after a kill -9) the cluster in dataDir and is its one server until stopped. */
export async function startPostgres(dataDir: string, say: (sentence: string) => void): Promise<EmbeddedPostgres> {
  const house = open(dataDir, say);
  await ensureCluster(house.binaries, house.home, say);
  const claim: Claim = async (client) => {
    if (await claimServer(client)) return;
    throw new Error(`Another server is running on DATA_DIR (${house.home.dataDir}): stop it, or name another folder.`);
  };
  const keeper = await keep(house, claim);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    const connection = await keeper.release();
    if (connection) await shutDown(house, connection);
  };
  return { connection: described(house), folder: house.home.folder, stop: () => (stopped ??= stop()) };
}

/** For programs beside the server: joins whatever runs and leaves it, or starts it and the last one out stops it. */
export async function attachPostgres(dataDir: string, say: (sentence: string) => void): Promise<EmbeddedPostgres> {
  const house = open(dataDir, say);
  requireCluster(house.binaries, house.home);
  const visitor = await enter(house, joinVisitors);
  const leave = async () => {
    const last = await lastToLeave(visitor).catch(() => false);
    if (last) await shutDown(house, visitor);
    else await visitor.end().catch(() => undefined);
  };
  let left: Promise<void> | undefined;
  return { connection: described(house), folder: house.home.folder, stop: () => (left ??= leave()) };
}
