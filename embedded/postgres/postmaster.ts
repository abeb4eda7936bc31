import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, fchownSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import type { Binaries } from './binaries';
import { USES_LOOPBACK, type PostgresAddress } from './postgresAddress';
import type { DataFolder } from './dataFolder';
import { minimalEnvironment, startArguments } from './serverOptions';
import { readPidFile } from './pidfile';
import { isAlive, waitUntil } from './processes';
import { spawnAs } from './osUser';

/** A postmaster that this process has launched and that may not accept connections yet. */
export interface StartingPostmaster {
  hasEnded(): boolean;
  /** Reads from the log why the postmaster did not start. */
  readFailure(): string;
}

const MAX_LOG_BYTES = 10_000_000;

function openLog({ logFile, osUser }: DataFolder): { handle: number; startOffset: number } {
  if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.1`);
  const handle = openSync(logFile, 'a', 0o600);
  if (osUser) fchownSync(handle, osUser.uid, osUser.gid);
  return { handle, startOffset: statSync(logFile).size };
}

/**
 * Prefers log lines of this pid, because other postmasters that tried to use the same folder write into the same log.
 */
function readFailureIn(logFile: string, startOffset: number, pid: number | undefined): string {
  const newLines = readFileSync(logFile).subarray(startOffset).toString('utf8').trim().split('\n');
  const ownLines = newLines.filter((line) => line.includes(`[${pid}]`));
  const lines = ownLines.length > 0 ? ownLines : newLines;
  const fatal = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '';
  return fatal.replace(/^.*(FATAL|PANIC):\s*/, '');
}

/**
 * Starts PostgreSQL detached from the terminal. Then Ctrl-C reaches only the server, which finishes its transactions
 * before it stops PostgreSQL.
 */
export function startPostmaster(
  binaries: Binaries,
  dataFolder: DataFolder,
  address: PostgresAddress,
): StartingPostmaster {
  const { handle, startOffset } = openLog(dataFolder);
  const options = { cwd: dataFolder.cluster, env: minimalEnvironment(), detached: true, windowsHide: true };
  const child = spawn(binaries.postgres, startArguments(dataFolder.cluster, address), {
    ...options,
    ...spawnAs(dataFolder.osUser),
    stdio: ['ignore', handle, handle],
  });
  closeSync(handle);
  let failure = '';
  child.once('error', (error) => (failure = error.message));
  child.unref();
  return {
    hasEnded: () => failure !== '' || child.exitCode !== null || child.signalCode !== null,
    readFailure: () => failure || readFailureIn(dataFolder.logFile, startOffset, child.pid),
  };
}

function signalPostmaster(binaries: Binaries, dataFolder: DataFolder, pid: number, signal: NodeJS.Signals): void {
  if (USES_LOOPBACK) {
    const mode = signal === 'SIGINT' ? 'fast' : 'immediate';
    execFileSync(binaries.pgCtl, ['stop', '-D', dataFolder.cluster, '-m', mode, '-W'], {
      stdio: 'ignore',
      windowsHide: true,
    });
  } else if (isAlive(pid)) process.kill(pid, signal);
}

/**
 * Tries a fast shutdown, then an immediate one, then SIGKILL. Committed data survive all of these, because they are in
 * the write-ahead log.
 */
export async function stopPostmaster(binaries: Binaries, dataFolder: DataFolder, pid: number): Promise<void> {
  const hasStopped = () => !isAlive(pid) || readPidFile(dataFolder.cluster)?.pid !== pid;
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 8_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 2_000],
  ];
  for (const [signal, timeoutMs] of steps) {
    signalPostmaster(binaries, dataFolder, pid, signal);
    if (await waitUntil(hasStopped, timeoutMs)) break;
  }
  await waitUntil(() => !isAlive(pid), 1_000);
}
