import { basename, join } from 'node:path';
import { shortTestName, listTestFiles } from '../testTitles.mjs';
import { areaOf } from './areas.mjs';
import { browserTestsFor, openBrowserRuns } from './browser.mjs';
import { measureCoverage } from './coverage.mjs';
import { isTimeout, runTests, startSharedServices } from './jest.mjs';

const PARALLEL_RUNS = 2;
/**
 * Limits the tests of one mutant to those that take this share of the time of all tests, because tests of the code
 * nearby should catch it. A mutant that only later tests would catch counts as survived. The limit is a share, so that
 * a slower machine runs the same tests.
 */
const TEST_BUDGET_SHARE = 0.1;
/** A longer run is treated as an endless loop, which counts as caught. */
const timeoutFor = ({ ms }) => 45_000 + 4 * ms;

/** Browser tests are excluded, because they use the built shop. They run only for the mutants that survive these. */
const listEligibleTests = (root) => listTestFiles(root).filter((file) => !file.startsWith('__tests__/browser/'));

const subjectOf = (file) => basename(file).split('.')[0];

/** @returns 0 for a test with the file's name, 1 for one of its area, 2 for one of a related area, -1 for others */
function rankOf(test, file) {
  const { close, wide } = areaOf(file);
  const isIn = (prefixes) => prefixes.some((prefix) => shortTestName(test).startsWith(prefix));
  return [subjectOf(test) === subjectOf(file), isIn(close), isIn(wide)].indexOf(true);
}

/**
 * Chooses tests that reach the mutant, by rank, as many as fit into the budget. Among tests of equal rank, it prefers
 * those that reach the most mutants of the file per millisecond.
 */
function chooseTests(mutant, names, coverage) {
  const { file, id } = mutant;
  const budgetMs = TEST_BUDGET_SHARE * [...coverage.values()].reduce((sum, { ms }) => sum + ms, 0);
  const hitsPerMs = ({ ms, hits }) => [...hits].filter((hit) => hit.startsWith(`${file}:`)).length / ms;
  let spentMs = 0;
  return names
    .map((name) => ({ name, rank: rankOf(name, file), ...coverage.get(name) }))
    .filter(({ rank, hits }) => rank >= 0 && hits?.has(`${file}:${id}`))
    .map((test) => ({ ...test, hitsPerMs: hitsPerMs(test) }))
    .sort((a, b) => a.rank - b.rank || b.hitsPerMs - a.hitsPerMs)
    .filter(({ ms }) => (spentMs += ms) <= budgetMs || spentMs === ms);
}

async function runMutant(root, mutant, tests, env) {
  if (tests.length === 0) return { passed: true };
  const { file, start, end, text } = mutant;
  const mutantToPlant = { file: join(root, file), start, end, text };
  return runTests(root, tests, { env, mutant: mutantToPlant, args: ['--runInBand'], timeoutFor });
}

const toOneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 100);

function describeResult({ file, line, mutator }, { passed, name, title, message }) {
  const reason = passed ? '' : `  by ${name}: ${title || toOneLine(message)}`;
  return `${passed ? 'survived' : 'caught  '} ${file}:${line} ${mutator}${reason}`;
}

/** @returns the mutants that also survive the browser tests, or for which there are none */
async function runInBrowser(root, mutants, print) {
  const survivors = [];
  let run;
  for (const mutant of mutants) {
    run ??= openBrowserRuns(root);
    const result = browserTestsFor(mutant.file) ? await run(mutant) : { passed: true };
    if (result.passed) survivors.push(mutant);
    print(`in the browser: ${describeResult(mutant, result)}`);
  }
  return survivors;
}

/**
 * Runs the mutants. Those that only a timeout has caught run a second time, with nothing else running. Those that
 * survive run in the browser tests.
 * @returns `survivors`, each with the number of tests that reach it, and `timeouts`, the number of mutants that timed
 * out again
 */
export async function runMutants(root, mutants, print) {
  const { env, stop } = await startSharedServices(root);
  const survivors = [];
  const timedOut = [];
  let next = 0;
  let timeouts = 0;
  try {
    const names = listEligibleTests(root).filter((name) => mutants.some(({ file }) => rankOf(name, file) >= 0));
    const coverage = await measureCoverage(root, names, env, print);
    const runOne = async (mutant, number) => {
      const tests = chooseTests(mutant, names, coverage);
      const started = Date.now();
      const result = await runMutant(root, mutant, tests, env);
      if (result.passed) survivors.push({ ...mutant, reachedBy: tests.length });
      const seconds = Math.round((Date.now() - started) / 1000);
      print(`${number}/${mutants.length} ${describeResult(mutant, result)} (${seconds} s)`);
      return !result.passed && isTimeout(result);
    };
    const work = async () => {
      for (let index = next++; index < mutants.length; index = next++)
        if (await runOne(mutants[index], index + 1)) timedOut.push(index);
    };
    await Promise.all(Array.from({ length: PARALLEL_RUNS }, work));
    for (const index of timedOut) if (await runOne(mutants[index], `again ${index + 1}`)) timeouts++;
  } finally {
    await stop();
  }
  survivors.sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
  return { survivors: await runInBrowser(root, survivors, print), timeouts };
}
