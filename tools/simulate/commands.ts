import { readFileSync } from 'node:fs';
import { realMs } from './simulatedRuntime';
import type { SimulatedCase } from './plan';
import type { RunResult } from './run';
import { shrink } from './shrink';
import type { Simulator } from './simulator';
import { describeRun } from './describeRun';

export interface Options {
  seed?: number;
  seeds?: number;
  from: number;
  minutes?: number;
  caseFile?: string;
  shrinks: boolean;
  /** How many of the seeds run a second time, to compare the traces. */
  twice?: number;
}

const readCase = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as SimulatedCase;

const print = (text: string) => void process.stdout.write(`${text}\n`);
const SEEDS_PER_REPORT = 10;

/** Runs one seed or one stored case. The last line is the hash of its trace. */
export async function runSingleCase(simulator: Simulator, { seed, caseFile }: Options): Promise<number> {
  const result =
    caseFile === undefined ? (await simulator.runSeed(seed!)).result : await simulator.runCase(readCase(caseFile));
  if (result.problems.length > 0) print(describeRun(result));
  print(`${result.steps} steps, ${result.problems.length} broken invariants`);
  print(`trace ${result.hash}`);
  return result.problems.length > 0 ? 1 : 0;
}

async function hasSameTrace(simulator: Simulator, seed: number, { hash, story }: RunResult): Promise<boolean> {
  const { result: second } = await simulator.runSeed(seed);
  if (second.hash === hash) return true;
  const firstDifference = story.findIndex((line, n) => line !== second.story[n]);
  const lines = [story, second.story].map((all) =>
    all.slice(Math.max(0, firstDifference - 2), firstDifference + 3).join('\n'),
  );
  print(
    `seed ${seed} gave a different trace in the second run, from line ${firstDifference} on:\n${lines.join('\n-- second run\n')}`,
  );
  return false;
}

/**
 * Runs seeds until one breaks an invariant, all have run, or the time is up. It also stops at a seed whose second run
 * gives a different trace.
 */
export async function runSeeds(simulator: Simulator, options: Options): Promise<number> {
  const { seeds = Infinity, from, minutes = Infinity, twice = 0 } = options;
  const start = realMs();
  const elapsedSeconds = () => (realMs() - start) / 1000;
  let [done, steps] = [0, 0];
  const report = () =>
    print(
      `${done} seeds from ${from}, ${steps} steps, ${elapsedSeconds().toFixed(0)} s, no broken invariant${twice > 0 ? `, the same trace twice in ${Math.min(done, twice)}` : ''}`,
    );
  while (done < seeds && elapsedSeconds() < minutes * 60) {
    const seed = from + done;
    const { simulatedCase, result } = await simulator.runSeed(seed);
    done++;
    steps += result.steps;
    if (done <= twice && !(await hasSameTrace(simulator, seed, result))) return 1;
    if (result.problems.length > 0)
      return reportFailure(simulator, { seed, simulatedCase, seconds: elapsedSeconds() }, options);
    if (done % SEEDS_PER_REPORT === 0) report();
  }
  report();
  return 0;
}

interface Failure {
  seed: number;
  simulatedCase: SimulatedCase;
  seconds: number;
}

async function reportFailure(simulator: Simulator, { seed, simulatedCase, seconds }: Failure, { shrinks }: Options) {
  print(`seed ${seed} broke an invariant after ${seconds.toFixed(0)} s`);
  const smallest = shrinks ? await shrink(simulator, simulatedCase, print) : simulatedCase;
  const result = await simulator.runCase(smallest);
  print(describeRun(result));
  print(`To run it again: npm run tool -- simulate --seed ${seed}`);
  if (shrinks) print(`The shrunk case, for tools/simulate/cases/: ${JSON.stringify(smallest)}`);
  return 1;
}

/**
 * @returns the first seed that breaks an invariant and how long it took to find it, or undefined if the time is up.
 * Runs only the stored case, if there is one.
 */
export async function findFailure(simulator: Simulator, { from, minutes = Infinity, caseFile }: Options) {
  const start = realMs();
  if (caseFile !== undefined) {
    const simulatedCase = readCase(caseFile);
    const { problems, seconds } = await simulator.runCase(simulatedCase);
    return problems[0] && { seed: simulatedCase.seed, problem: problems[0], seconds };
  }
  for (let seed = from; (realMs() - start) / 60_000 < minutes; seed++) {
    const { result } = await simulator.runSeed(seed);
    const [problem] = result.problems;
    if (problem) return { seed, problem, seconds: (realMs() - start) / 1000 };
  }
  return undefined;
}
