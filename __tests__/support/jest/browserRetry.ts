/** A browser test that fails on a busy machine is tried once more. `steadyReporter` counts and reports it. */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
