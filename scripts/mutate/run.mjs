import { basename, join } from 'node:path';
import { shortName, testFiles } from '../testTitles.mjs';
import { areaOf } from './areas.mjs';
import { measureCoverage } from './coverage.mjs';
import { runTests, startShared } from './jest.mjs';

const AT_ONCE = 2;
/** A bug is to be noticed near where it is: what only tests beyond these milliseconds would notice has survived. */
const BUDGET_MS = 90_000;
/** A mutant that makes a test file take this much longer than usual never ends. */
const patienceFor = ({ ms }) => 45_000 + 4 * ms;

/** A browser would show only the built shop, which has no mutant. */
const testsWithMutants = (root) => testFiles(root).filter((file) => !file.startsWith('__tests__/browser/'));

const subjectOf = (file) => basename(file).split('.')[0];

/** The tests named like the file first, then those of its area, then its neighbors. */
function rankOf(test, file) {
  const { close, wide } = areaOf(file);
  const isIn = (prefixes) => prefixes.some((prefix) => shortName(test).startsWith(prefix));
  return [subjectOf(test) === subjectOf(file), isIn(close), isIn(wide)].indexOf(true);
}

/** Of equal rank, what reaches most of the file in the least time comes first. */
function testsFor(mutant, names, coverage) {
  const { file, id } = mutant;
  const promise = ({ ms, hits }) => [...hits].filter((hit) => hit.startsWith(`${file}:`)).length / ms;
  let spent = 0;
  return names
    .map((name) => ({ name, rank: rankOf(name, file), ...coverage.get(name) }))
    .filter(({ rank, hits }) => rank >= 0 && hits?.has(`${file}:${id}`))
    .map((test) => ({ ...test, promise: promise(test) }))
    .sort((a, b) => a.rank - b.rank || b.promise - a.promise)
    .filter(({ ms }) => (spent += ms) <= BUDGET_MS || spent === ms);
}

async function isCaught(root, mutant, tests, env) {
  if (tests.length === 0) return false;
  const { file, start, end, text } = mutant;
  const planted = { file: join(root, file), start, end, text };
  const passed = await runTests(root, tests, { env, mutant: planted, args: ['--runInBand'], patience: patienceFor });
  return !passed;
}

/** @returns the mutants that no test noticed, each with the number of tests that reach it */
export async function runMutants(root, mutants, print) {
  const { env, stop } = await startShared(root);
  const survivors = [];
  let next = 0;
  try {
    const names = testsWithMutants(root).filter((name) => mutants.some(({ file }) => rankOf(name, file) >= 0));
    const coverage = await measureCoverage(root, names, env, print);
    const work = async () => {
      for (let index = next++; index < mutants.length; index = next++) {
        const mutant = mutants[index];
        const tests = testsFor(mutant, names, coverage);
        const started = Date.now();
        const caught = await isCaught(root, mutant, tests, env);
        if (!caught) survivors.push({ ...mutant, reachedBy: tests.length });
        const { file, line, mutator } = mutant;
        const seconds = Math.round((Date.now() - started) / 1000);
        print(
          `${index + 1}/${mutants.length} ${caught ? 'caught  ' : 'survived'} ${file}:${line} ${mutator} ${seconds} s`,
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await stop();
  }
  return survivors.sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
}
