import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isPostmasterOf, isPidInUse } from './processes';

export interface PidFile {
  pid: number;
  port: number | undefined;
  socket: string | undefined;
}

const pidFileIn = (cluster: string) => join(cluster, 'postmaster.pid');

function readLockFile(path: string): PidFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [pid, , , port, socket] = text.split('\n');
  return Number(pid) > 0
    ? { pid: Number(pid), port: Number(port) || undefined, socket: socket || undefined }
    : undefined;
}

export const readPidFile = (cluster: string) => readLockFile(pidFileIn(cluster));

/** Removes the lock file unless another start has replaced it in the meantime. */
function removeIfOwnedBy(path: string, pid: number): void {
  const movedPath = `${path}.${process.pid}`;
  try {
    renameSync(path, movedPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readLockFile(movedPath)?.pid === pid) rmSync(movedPath, { force: true });
  else renameSync(movedPath, path);
}

/** PostgreSQL itself removes the lock files of a dead postmaster, but not if an unrelated process now has its pid. */
export function removeStaleLockFiles(cluster: string, socketFolder: string, port: number): void {
  for (const path of [pidFileIn(cluster), join(socketFolder, `.s.PGSQL.${port}.lock`)]) {
    const pid = readLockFile(path)?.pid;
    if (pid && isPidInUse(pid) && !isPostmasterOf(cluster, pid)) removeIfOwnedBy(path, pid);
  }
}
