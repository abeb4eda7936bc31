import { spawn } from 'node:child_process';
import { startPostgres, type EmbeddedPostgres } from '../../../embedded/postgres';
import { findBinaries } from '../../../embedded/postgres/binaries';
import { ensureCluster } from '../../../embedded/postgres/cluster';
import { createPostgresAddress } from '../../../embedded/postgres/postgresAddress';
import { openDataFolder } from '../../../embedded/postgres/dataFolder';
import { minimalEnvironment, startArguments } from '../../../embedded/postgres/serverOptions';
import { readPidFile } from '../../../embedded/postgres/pidfile';
import { waitUntil } from '../../../embedded/postgres/processes';
import { spawnAs } from '../../../embedded/postgres/osUser';

const START_TIMEOUT_MS = 30_000;
const ignore = () => undefined;

/**
 * Each Jest worker has a shop, and a test file can open several databases and servers more, with ten connections each.
 * The shop's own limit of 60 has been too few for three workers.
 */
const MAX_CONNECTIONS = 250;

/**
 * Starts the embedded PostgreSQL without fsync, because test data need not survive a power failure.
 * The embedded service then adopts the running server and stops it like its own.
 */
export async function startPostgresWithoutFsync(folder: string): Promise<EmbeddedPostgres> {
  const dataFolder = openDataFolder(folder, ignore);
  const binaries = findBinaries(dataFolder);
  await ensureCluster(binaries, dataFolder, ignore);
  const address = await createPostgresAddress(dataFolder);
  const settings = ['-c', 'fsync=off', '-c', `max_connections=${MAX_CONNECTIONS}`];
  const args = [...startArguments(dataFolder.cluster, address), ...settings];
  const options = { cwd: dataFolder.cluster, env: minimalEnvironment(), detached: true, windowsHide: true };
  const child = spawn(binaries.postgres, args, { ...options, ...spawnAs(dataFolder.osUser), stdio: 'ignore' });
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  child.unref();
  await waitUntil(() => hasExited() || readPidFile(dataFolder.cluster)?.port !== undefined, START_TIMEOUT_MS);
  return startPostgres(folder, ignore);
}
