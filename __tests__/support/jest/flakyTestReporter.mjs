/** The run fails if more tests than this pass only on a retry. */
const MAX_FLAKY_TESTS = 2;

/** Lists the tests that passed only on a retry, because each may hide a defect of the shop or of the test. */
export default class FlakyTestReporter {
  #flakyTests = [];

  onTestResult(_test, { displayName, testResults }) {
    for (const { invocations, status, fullName } of testResults)
      if (invocations > 1 && status === 'passed') this.#flakyTests.push(`${displayName?.name}: ${fullName}`);
  }

  #hasTooMany() {
    return this.#flakyTests.length > MAX_FLAKY_TESTS;
  }

  onRunComplete() {
    for (const name of this.#flakyTests) process.stdout.write(`FLAKY, passed on a retry: ${name}\n`);
    if (this.#hasTooMany())
      process.stdout.write(`Failed: more than ${MAX_FLAKY_TESTS} tests passed only on a retry.\n`);
  }

  getLastError() {
    if (this.#hasTooMany()) return new Error('Too many flaky tests.');
  }
}
