/** A browser on a busy machine: what fails is tried once more, and `steadyReporter` counts and says it. */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
