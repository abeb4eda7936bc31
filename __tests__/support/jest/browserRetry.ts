/** Retries a failed browser test once, because a busy machine can make it fail. `flakyTestReporter` reports retries. */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
