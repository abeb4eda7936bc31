/**
 * Reports to `scripts/mutate` which test files have ended. This is a reporter, because reporters run in Jest's main
 * process, and Jest's workers are not connected to `scripts/mutate`.
 */
export default class MutantReporter {
  onTestResult({ path }) {
    process.send?.({ path });
  }
}
