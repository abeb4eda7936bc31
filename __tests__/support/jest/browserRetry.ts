/** Retries a browser test once: a busy machine can make it fail. `flakyTestReporter` reports and counts retries. */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
