import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where nobody collects it (as in some containers), a dead process keeps its number. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** PostgreSQL itself heeds no more than this: a number in use, by whatever program. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export const alive = (pid: number) => isTaken(pid) && !isZombie(pid);

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

/** A process number is soon given to another program: a postmaster's working folder is its cluster. */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!alive(pid)) return false;
  if (!existsSync('/proc/self/cwd')) return commandOf(pid).includes('postgres');
  try {
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return theirs.ino === ours.ino && theirs.dev === ours.dev;
  } catch {
    return false;
  }
}

export async function until(done: () => boolean, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; !done(); await sleep(10)) if (Date.now() > end) return false;
  return true;
}
