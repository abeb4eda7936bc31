import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, fchownSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import type { Binaries } from './binaries';
import { LOOPBACK, type Endpoint } from './endpoint';
import type { DataFolder } from './dataFolder';
import { plainEnvironment, startArguments } from './serverOptions';
import { readPidFile } from './pidfile';
import { alive, until } from './processes';
import { spawnAs } from './runner';

/** A postmaster that we started and that may still fail to come up. */
export interface Started {
  ended(): boolean;
  /** What it wrote last before it ended. */
  complaint(): string;
}

const LOG_LIMIT = 10_000_000;

function openLog({ log, runner }: DataFolder): { handle: number; from: number } {
  if (existsSync(log) && statSync(log).size > LOG_LIMIT) renameSync(log, `${log}.1`);
  const handle = openSync(log, 'a', 0o600);
  if (runner) fchownSync(handle, runner.uid, runner.gid);
  return { handle, from: statSync(log).size };
}

/** Only what this process wrote: another postmaster on the folder, and those it turns away, write into the same log. */
function complaintIn(log: string, from: number, pid: number | undefined): string {
  const written = readFileSync(log).subarray(from).toString('utf8').trim().split('\n');
  const own = written.filter((line) => line.includes(`[${pid}]`));
  const lines = own.length > 0 ? own : written;
  const fatal = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '';
  return fatal.replace(/^.*(FATAL|PANIC):\s*/, '');
}

/** In a session of its own, so that a Ctrl-C for the server does not cut transactions short. */
export function startPostmaster(binaries: Binaries, dataFolder: DataFolder, endpoint: Endpoint): Started {
  const { handle, from } = openLog(dataFolder);
  const options = { cwd: dataFolder.cluster, env: plainEnvironment(), detached: true, windowsHide: true };
  const child = spawn(binaries.postgres, startArguments(dataFolder.cluster, endpoint), {
    ...options,
    ...spawnAs(dataFolder.runner),
    stdio: ['ignore', handle, handle],
  });
  closeSync(handle);
  let failure = '';
  child.once('error', (error) => (failure = error.message));
  child.unref();
  return {
    ended: () => failure !== '' || child.exitCode !== null || child.signalCode !== null,
    complaint: () => failure || complaintIn(dataFolder.log, from, child.pid),
  };
}

function ask(binaries: Binaries, dataFolder: DataFolder, pid: number, signal: NodeJS.Signals): void {
  if (LOOPBACK) {
    const mode = signal === 'SIGINT' ? 'fast' : 'immediate';
    execFileSync(binaries.pgCtl, ['stop', '-D', dataFolder.cluster, '-m', mode, '-W'], {
      stdio: 'ignore',
      windowsHide: true,
    });
  } else if (alive(pid)) process.kill(pid, signal);
}

/** Fast and clean; only when that takes too long, at once (what was committed is in the log either way). */
export async function stopPostmaster(binaries: Binaries, dataFolder: DataFolder, pid: number): Promise<void> {
  const gone = () => !alive(pid) || readPidFile(dataFolder.cluster)?.pid !== pid;
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 8_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 2_000],
  ];
  for (const [signal, patience] of steps) {
    ask(binaries, dataFolder, pid, signal);
    if (await until(gone, patience)) break;
  }
  await until(() => !alive(pid), 1_000);
}
