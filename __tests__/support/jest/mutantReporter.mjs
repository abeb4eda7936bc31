/**
 * Reports to `scripts/mutate` which test files have ended. Only Jest's main process is connected to it, and Jest's
 * workers are not.
 */
export default class MutantReporter {
  onTestResult({ path }) {
    process.send?.({ path });
  }
}
