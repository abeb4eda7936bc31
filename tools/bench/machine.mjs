import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { createIsolatedEnvironment } from '../lib/isolatedEnvironment.mjs';

const children = new Set();
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

export const CORES = { server: 0, generator: 1 };

/** Starts a Node process, on the given core where `taskset` exists. `stopAll` stops it if it still runs. */
export function startNode(args, { core, env = {}, stdio = ['ignore', 'pipe', 'inherit'] }) {
  const command = [process.execPath, ...args];
  const [file, ...rest] = canPin && Number.isInteger(core) ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(file, rest, { stdio, env: { ...createIsolatedEnvironment(), NODE_ENV: 'production', ...env } });
  const exited = once(child, 'exit');
  children.add(child);
  void exited.then(() => children.delete(child));
  const stop = async () => {
    if (!children.has(child)) return;
    child.kill('SIGTERM');
    if (!(await Promise.race([exited, setTimeout(12_000, null)]))) child.kill('SIGKILL');
    await exited;
  };
  return Object.assign(child, { exited, stop });
}

const endCallbacks = new Set();
/** Registers cleanup that runs at the end of the benchmark, even if an error or a signal ends it. */
export const onEnd = (work) => void endCallbacks.add(work);

export async function stopAll() {
  await Promise.all(
    [...children].map((child) => child.kill('SIGTERM') && Promise.race([child.exited, setTimeout(12_000)])),
  );
  for (const work of endCallbacks) work();
  endCallbacks.clear();
}

const CLOCK_TICKS_PER_SECOND = 100;
/** @returns the seconds of CPU time that a process has used, or undefined on systems without `/proc` */
export function cpuSeconds(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

export function rssMegabytes(pid) {
  const file = `/proc/${pid}/status`;
  const match = existsSync(file) && /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'));
  return match
    ? Number(match[1]) / 1024
    : Number(spawnSync('ps', ['-o', 'rss=', '-p', pid], { encoding: 'utf8' }).stdout) / 1024;
}

const readIdleTimes = () => cpus().map(({ times }) => [times.idle, Object.values(times).reduce((a, b) => a + b)]);

/** @returns one line about the machine and how idle its cores are */
export async function describeMachine() {
  const idleBefore = readIdleTimes();
  await setTimeout(1000);
  const idle = readIdleTimes().map(([free, all], i) =>
    Math.round((100 * (free - idleBefore[i][0])) / (all - idleBefore[i][1])),
  );
  const { model } = cpus()[0];
  const cores = `${cpus().length} cores (${model.trim()})`;
  return `Node ${process.versions.node}, ${cores}, ${idle.join('% and ')}% idle at the time.`;
}
