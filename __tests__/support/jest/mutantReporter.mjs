/** Tells `scripts/mutate` which test files have ended. Only Jest's main process is connected to it, not its workers. */
export default class MutantReporter {
  onTestResult({ path }) {
    process.send?.({ path });
  }
}
