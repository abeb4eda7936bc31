import { relative } from 'node:path';

const SLOW_FILES = 20;

/** Prints the slowest test files, and a last line that a program can parse. */
export default class SummaryReporter {
  onRunComplete(_contexts, results) {
    const { testResults, numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = results;
    const files = testResults.map(({ testFilePath, perfStats }) => ({
      name: relative('.', testFilePath),
      seconds: (perfStats.end - perfStats.start) / 1000,
    }));
    const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOW_FILES);
    for (const { name, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(6)} s ${name}\n`);
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    process.stdout.write(`${numPassedTests} passed, ${failed} failed${skipped}\n`);
  }
}
