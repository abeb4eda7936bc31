/** Prints a last line that a program can parse. */
export default class SummaryReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    process.stdout.write(`${numPassedTests} passed, ${failed} failed${skipped}\n`);
  }
}
