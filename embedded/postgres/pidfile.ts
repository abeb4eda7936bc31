import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isPostmasterOf, isTaken } from './processes';

export interface PidFile {
  pid: number;
  port: number | undefined;
  socket: string | undefined;
}

const pathIn = (cluster: string) => join(cluster, 'postmaster.pid');

function read(path: string): PidFile | undefined {
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

export const readPidFile = (cluster: string) => read(pathIn(cluster));

/** Removed only if it still names that process: another start may have put its own there meanwhile. */
function remove(path: string, pid: number): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (read(aside)?.pid === pid) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

/** PostgreSQL removes the marks of a dead postmaster by itself, but not when a stranger has its number now. */
export function removeStrangersMarks(cluster: string, socketFolder: string, port: number): void {
  for (const path of [pathIn(cluster), join(socketFolder, `.s.PGSQL.${port}.lock`)]) {
    const pid = read(path)?.pid;
    if (pid && isTaken(pid) && !isPostmasterOf(cluster, pid)) remove(path, pid);
  }
}
