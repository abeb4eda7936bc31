import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Binaries } from './binaries';
import { tryConnect } from './tryConnect';
import { postgresAddressOf, newPostgresAddress, type PostgresAddress } from './postgresAddress';
import type { DataFolder } from './dataFolder';
import { readPidFile, removeStaleLockFiles } from './pidfile';
import { startPostmaster, stopPostmaster, type StartingPostmaster } from './postmaster';
import { isPostmasterOf } from './processes';

export interface EmbeddedServer {
  dataFolder: DataFolder;
  binaries: Binaries;
  log: (message: string) => void;
  /** Set when PostgreSQL is found or first launched. A restarted PostgreSQL gets the same address. */
  address?: PostgresAddress;
}

const START_TIMEOUT_MS = 600_000;
const SLOW_START_MS = 5_000;
const MAX_SILENCE_MS = 5_000;
/**
 * After these errors, the start is tried again. Either another start was faster, or child processes of a killed
 * postmaster are still running.
 */
const TRANSIENT_START_ERROR = /already exists|still in use|being used by another/;

async function startPostmasterAtAddress(server: EmbeddedServer): Promise<StartingPostmaster> {
  server.address ??= await newPostgresAddress(server.dataFolder);
  removeStaleLockFiles(server.dataFolder.cluster, server.address.host, server.address.port);
  return startPostmaster(server.binaries, server.dataFolder, server.address);
}

function throwUnlessTransient(server: EmbeddedServer, started: StartingPostmaster): void {
  const reason = started.readFailure();
  if (TRANSIENT_START_ERROR.test(reason)) return;
  throw new Error(`PostgreSQL did not start: ${reason} (see ${server.dataFolder.logFile}, or set DATABASE_URL).`);
}

/**
 * Starts a postmaster if none runs. If one runs but has been silent for too long, only stops it. The next call then
 * starts a new one.
 */
async function startUnlessRunning(server: EmbeddedServer, silentMs: number): Promise<StartingPostmaster | undefined> {
  const { dataFolder, binaries } = server;
  const pid = readPidFile(dataFolder.cluster)?.pid;
  if (pid && isPostmasterOf(dataFolder.cluster, pid)) {
    if (silentMs > MAX_SILENCE_MS) await stopPostmaster(binaries, dataFolder, pid);
    return undefined;
  }
  return startPostmasterAtAddress(server);
}

/** Connects to the cluster's postmaster, or starts one if none runs. */
export async function startOrAdopt(server: EmbeddedServer): Promise<Client> {
  let started: StartingPostmaster | undefined;
  const began = Date.now();
  let [respondedAt, hasLogged] = [began, false];
  while (Date.now() - began < START_TIMEOUT_MS) {
    const address = postgresAddressOf(server.dataFolder, readPidFile(server.dataFolder.cluster));
    const result = await tryConnect(server.dataFolder, address);
    if (typeof result === 'object') {
      server.address = address;
      return result;
    }
    if (result === 'busy') respondedAt = Date.now();
    if (started?.hasEnded()) {
      throwUnlessTransient(server, started);
      started = undefined;
      await sleep(100);
    } else if (!started && result === 'silent') started = await startUnlessRunning(server, Date.now() - respondedAt);
    if (!hasLogged && Date.now() - began > SLOW_START_MS) {
      hasLogged = true;
      server.log('PostgreSQL is taking long to start, perhaps because it is recovering its files');
    }
    await sleep(result === 'busy' ? 100 : 10);
  }
  throw new Error(
    `PostgreSQL did not respond for ${START_TIMEOUT_MS / 60_000} minutes: see ${server.dataFolder.logFile}.`,
  );
}
