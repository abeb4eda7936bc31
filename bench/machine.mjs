import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { cleanEnvironment } from '../scripts/cleanEnvironment.mjs';

const running = new Set();
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** The server's core and the generator's; on a machine that cannot pin, both run wherever they may. */
export const CORES = { server: 0, generator: 1 };

/** A Node process on one core, ended by `stop` at the latest when the bench ends. */
export function startNode(args, { core, env = {}, stdio = ['ignore', 'pipe', 'inherit'] }) {
  const command = [process.execPath, ...args];
  const [file, ...rest] = canPin && Number.isInteger(core) ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(file, rest, { stdio, env: { ...cleanEnvironment(), NODE_ENV: 'production', ...env } });
  const ended = once(child, 'exit');
  running.add(child);
  void ended.then(() => running.delete(child));
  const stop = async () => {
    if (!running.has(child)) return;
    child.kill('SIGTERM');
    if (!(await Promise.race([ended, setTimeout(12_000, null)]))) child.kill('SIGKILL');
    await ended;
  };
  return Object.assign(child, { ended, stop });
}

const atEnd = new Set();
/** To be done when the bench ends, however it does. */
export const finallyDo = (work) => void atEnd.add(work);

export async function stopAll() {
  await Promise.all(
    [...running].map((child) => child.kill('SIGTERM') && Promise.race([child.ended, setTimeout(12_000)])),
  );
  for (const work of atEnd) work();
  atEnd.clear();
}

const CLOCK_TICKS = 100;
/** Processor seconds that a process has used, its own and the system's for it; undefined where nobody can say. */
export function cpuSeconds(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

export function rssMegabytes(pid) {
  const file = `/proc/${pid}/status`;
  const found = existsSync(file) && /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'));
  return found
    ? Number(found[1]) / 1024
    : Number(spawnSync('ps', ['-o', 'rss=', '-p', pid], { encoding: 'utf8' }).stdout) / 1024;
}

const idleOf = () => cpus().map(({ times }) => [times.idle, Object.values(times).reduce((a, b) => a + b)]);

/** What it is measured on, and how busy that was with other things. */
export async function machineLine() {
  const before = idleOf();
  await setTimeout(1000);
  const idle = idleOf().map(([free, all], i) => Math.round((100 * (free - before[i][0])) / (all - before[i][1])));
  const { model } = cpus()[0];
  return `Node ${process.versions.node}, ${cpus().length} cores (${model.trim()}), ${idle.join('% and ')}% idle just then.`;
}
