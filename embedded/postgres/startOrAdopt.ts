import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Binaries } from './binaries';
import { tryConnect } from './tryConnect';
import { postgresAddressOf, createPostgresAddress, type PostgresAddress } from './postgresAddress';
import type { DataFolder } from './dataFolder';
import { readPidFile, removeStaleLockFiles } from './pidfile';
import { startPostmaster, stopPostmaster, type StartingPostmaster } from './postmaster';
import { isPostmasterOf } from './processes';

export interface PostgresInstance {
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

async function startPostmasterAtAddress(instance: PostgresInstance): Promise<StartingPostmaster> {
  instance.address ??= await createPostgresAddress(instance.dataFolder);
  removeStaleLockFiles(instance.dataFolder.cluster, instance.address.host, instance.address.port);
  return startPostmaster(instance.binaries, instance.dataFolder, instance.address);
}

function throwUnlessTransient(instance: PostgresInstance, started: StartingPostmaster): void {
  const reason = started.readFailure();
  if (TRANSIENT_START_ERROR.test(reason)) return;
  throw new Error(`PostgreSQL did not start: ${reason} (see ${instance.dataFolder.logFile}, or set DATABASE_URL).`);
}

/**
 * Starts a postmaster if none runs. If one runs but has been silent for too long, only stops it. The next call then
 * starts a new one.
 */
async function startUnlessRunning(
  instance: PostgresInstance,
  silentMs: number,
): Promise<StartingPostmaster | undefined> {
  const { dataFolder, binaries } = instance;
  const pid = readPidFile(dataFolder.cluster)?.pid;
  if (pid && isPostmasterOf(dataFolder.cluster, pid)) {
    if (silentMs > MAX_SILENCE_MS) await stopPostmaster(binaries, dataFolder, pid);
    return undefined;
  }
  return startPostmasterAtAddress(instance);
}

/** Connects to the cluster's postmaster. If none runs, starts one first. */
export async function startOrAdopt(instance: PostgresInstance): Promise<Client> {
  let started: StartingPostmaster | undefined;
  const began = Date.now();
  let [respondedAt, hasLogged] = [began, false];
  while (Date.now() - began < START_TIMEOUT_MS) {
    const address = postgresAddressOf(instance.dataFolder, readPidFile(instance.dataFolder.cluster));
    const result = await tryConnect(instance.dataFolder, address);
    if (typeof result === 'object') {
      instance.address = address;
      return result;
    }
    if (result === 'busy') respondedAt = Date.now();
    if (started?.hasEnded()) {
      throwUnlessTransient(instance, started);
      started = undefined;
      await sleep(100);
    } else if (!started && result === 'silent') started = await startUnlessRunning(instance, Date.now() - respondedAt);
    if (!hasLogged && Date.now() - began > SLOW_START_MS) {
      hasLogged = true;
      instance.log('PostgreSQL is taking long to start, perhaps because it is recovering its files');
    }
    await sleep(result === 'busy' ? 100 : 10);
  }
  throw new Error(
    `PostgreSQL did not respond for ${START_TIMEOUT_MS / 60_000} minutes: see ${instance.dataFolder.logFile}.`,
  );
}
