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
 * Starts the embedded PostgreSQL without fsync, because test data need not survive a power failure.
 * The embedded service then adopts the running server and stops it like its own.
 */
export async function startPostgresWithoutFsync(folder: string): Promise<EmbeddedPostgres> {
  const dataFolder = openDataFolder(folder, ignore);
  const binaries = findBinaries(dataFolder);
  await ensureCluster(binaries, dataFolder, ignore);
  const args = [...startArguments(dataFolder.cluster, await createPostgresAddress(dataFolder)), '-c', 'fsync=off'];
  const options = { cwd: dataFolder.cluster, env: minimalEnvironment(), detached: true, windowsHide: true };
  const child = spawn(binaries.postgres, args, { ...options, ...spawnAs(dataFolder.osUser), stdio: 'ignore' });
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  child.unref();
  await waitUntil(() => hasExited() || readPidFile(dataFolder.cluster)?.port !== undefined, START_TIMEOUT_MS);
  return startPostgres(folder, ignore);
}
