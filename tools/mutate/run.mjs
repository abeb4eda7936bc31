import { basename, join } from 'node:path';
import { shortTestName, listTestFiles } from '../lib/testTitles.mjs';
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

const hasNameOf = (test, file) => subjectOf(test) === subjectOf(file);
const isInAreaOf = (test, file) => areaOf(file).tests.some((prefix) => shortTestName(test).startsWith(prefix));
const mayConcern = (test, file) => hasNameOf(test, file) || isInAreaOf(test, file);

/** Counts how many tests reach each mutant. */
function countReaches(coverage) {
  const reaches = new Map();
  for (const { hits } of coverage.values()) for (const hit of hits) reaches.set(hit, (reaches.get(hit) ?? 0) + 1);
  return reaches;
}

/**
 * Chooses tests that reach the mutant, in any area, as many as fit into the budget: first those with the file's name,
 * then those that concern the file most. A test that reaches mutants of the file which few other tests reach concerns
 * it more than one that reaches what all reach. A test of the file's area counts twice. Of two equal tests, the faster
 * one is preferred.
 */
function chooseTests({ file, id }, names, coverage, reaches) {
  let remainingMs = TEST_BUDGET_SHARE * [...coverage.values()].reduce((sum, { ms }) => sum + ms, 0);
  const relevanceOf = ({ ms, hits }) =>
    [...hits].filter((hit) => hit.startsWith(`${file}:`)).reduce((sum, hit) => sum + 1 / reaches.get(hit), 0) /
    Math.sqrt(ms);
  const tests = names
    .filter((name) => coverage.get(name)?.hits.has(`${file}:${id}`))
    .map((name) => ({ name, ...coverage.get(name), isNamesake: hasNameOf(name, file) }))
    .map((test) => ({ ...test, relevance: relevanceOf(test) * (isInAreaOf(test.name, file) ? 2 : 1) }))
    .sort((a, b) => Number(b.isNamesake) - Number(a.isNamesake) || b.relevance - a.relevance);
  return tests.filter(({ ms }, n) => {
    const fits = n === 0 || ms <= remainingMs;
    if (fits) remainingMs -= ms;
    return fits;
  });
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
    const names = listEligibleTests(root).filter((name) => mutants.some(({ file }) => mayConcern(name, file)));
    const coverage = await measureCoverage(root, names, env, print);
    const reaches = countReaches(coverage);
    const runOne = async (mutant, number) => {
      const tests = chooseTests(mutant, names, coverage, reaches);
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
