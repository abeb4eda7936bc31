import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { freePort } from './server';

const ROOT = join(__dirname, '../..');

/** A second server on the same database, in a process of its own that is killed at a step. */
export async function startMortal(connection: PoolConfig, dieBefore: string) {
  const port = await freePort();
  const child = fork(join(__dirname, 'programs/runSource.mjs'), [join(__dirname, 'programs/crashProgram.ts')], {
    cwd: ROOT,
    execArgv: [],
    env: {
      ...process.env,
      CONNECTION: JSON.stringify(connection),
      PORT: String(port),
      DIE_BEFORE: dieBefore,
    },
  });
  const died = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await Promise.race([once(child, 'message'), died]);
  return { origin: `http://127.0.0.1:${port}`, died, kill: () => child.kill('SIGKILL') };
}
