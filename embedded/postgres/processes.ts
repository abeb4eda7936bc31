import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A dead process keeps its pid until its parent has read its exit status. In some containers, no parent ever does. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Checks only whether any process has this pid, as PostgreSQL itself does. It may be unrelated to PostgreSQL. */
export function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export const isAlive = (pid: number) => isPidInUse(pid) && !isZombie(pid);

function commandOf(pid: number): string {
  const [command, args] =
    process.platform === 'win32'
      ? (['tasklist', ['/FI', `PID eq ${pid}`, '/NH']] as const)
      : (['ps', ['-o', 'command=', '-p', String(pid)]] as const);
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
  } catch {
    return '';
  }
}

/**
 * The system reuses pids. So this also checks the process: on Linux, that its working folder is the cluster's folder,
 * and on other systems only that it is a PostgreSQL.
 */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (!existsSync('/proc/self/cwd')) return commandOf(pid).includes('postgres');
  try {
    const [workingFolder, clusterFolder] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return workingFolder.ino === clusterFolder.ino && workingFolder.dev === clusterFolder.dev;
  } catch {
    return false;
  }
}

export async function waitUntil(isDone: () => boolean, timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; !isDone(); await sleep(10)) if (Date.now() > end) return false;
  return true;
}
