import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';

const ROOT = join(__dirname, '../..');
const READY_LINE = /^Forgeline is ready at (\S+)$/m;

/**
 * Each run and each of its workers has ports of its own. All of them are below 32,768, because systems give the ports
 * above to outgoing connections, which could take a port before its server does.
 */
const FIRST_PORT = 10_000;
const [RUNS, WORKERS, PORTS_PER_WORKER] = [11, 8, 250];
let nextPort: number | undefined;

function firstPortOfWorker(): number {
  const run = Number(process.env['TEST_RUN'] ?? process.pid) % RUNS;
  const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS;
  return FIRST_PORT + (run * WORKERS + worker) * PORTS_PER_WORKER;
}

/**
 * Chooses ports that no other run on this machine uses: the run listens on one port below them until it ends. The
 * workers inherit the choice.
 */
export async function reservePorts(): Promise<void> {
  for (let run = 0; run < RUNS && process.env['TEST_RUN'] === undefined; run++) {
    const reservation = createServer().unref();
    reservation.listen(FIRST_PORT - RUNS + run, '127.0.0.1');
    const isFree = await once(reservation, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) process.env['TEST_RUN'] = String(run);
  }
}

const canListen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** @returns another port on each call, which no other worker gets */
export async function freePort(): Promise<number> {
  nextPort ??= firstPortOfWorker();
  let port = nextPort++;
  while (!(await canListen(port))) port = nextPort++;
  return port;
}

export interface RunningServer {
  origin: string;
  child: ChildProcess;
  output: () => string;
  stop(): Promise<void>;
}

/** Excludes the developer's own settings from the server's environment. */
function inheritedEnvironment() {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot };
}

interface LaunchOptions {
  /** By default, the server itself. */
  command?: [program: string, ...args: string[]];
  /** Options for Node. */
  execArgv?: string[];
  detached?: boolean;
}

/** `npm test` with one file starts the sources, because it does not build them. */
const SERVER =
  process.env['SERVER_PROGRAM'] === 'source'
    ? ['__tests__/support/programs/runSource.mjs', join(ROOT, 'server/index.ts')]
    : ['dist/server/index.js'];

/** Starts the server in a separate process, with only the given settings. */
export async function launchServer(
  env: Record<string, string>,
  { execArgv = [], command = [process.execPath, ...execArgv, ...SERVER], detached }: LaunchOptions = {},
) {
  const port = env['PORT'] ?? String(await freePort());
  const [program, ...args] = command;
  return spawn(program, args, {
    cwd: ROOT,
    detached,
    env: { ...inheritedEnvironment(), PORT: port, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts a server and waits until it is ready. Rejects with the server's output if the server exits first. */
export async function startServer(env: Record<string, string>, options?: LaunchOptions): Promise<RunningServer> {
  const child = await launchServer(env, options);
  let text = '';
  const exited = once(child, 'exit');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
  };
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const ready = READY_LINE.exec(text);
        if (ready) resolve(ready[1]!);
      });
    void exited.then(([code]) => reject(new Error(`${text.trim()} [exit ${code}]`)));
  });
  return { origin, child, output: () => text, stop };
}

/**
 * Starts a server on the given database, in a process that kills itself right before the given checkpoint. With mail
 * settings, the server also runs its background work.
 */
export async function startCrashingServer(connection: PoolConfig, crashBefore: string, settings: object = {}) {
  const port = await freePort();
  const child = fork(join(__dirname, 'programs/runSource.mjs'), [join(__dirname, 'programs/crashProgram.ts')], {
    cwd: ROOT,
    execArgv: [],
    env: {
      ...process.env,
      CONNECTION: JSON.stringify(connection),
      CRASH_BEFORE: crashBefore,
      SETTINGS: JSON.stringify({ PORT: String(port), ...settings }),
    },
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await Promise.race([once(child, 'message'), exited]);
  return { origin: `http://127.0.0.1:${port}`, exited, kill: () => child.kill('SIGKILL') };
}
