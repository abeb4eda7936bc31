/** The idle time to assume in browsers without `requestIdleCallback`. It never runs out. */
const FALLBACK_TIME_LEFT_MS = 4;

export const requestIdle = (work: (timeLeft: () => number) => void): void =>
  'requestIdleCallback' in window
    ? void requestIdleCallback((deadline) => work(() => deadline.timeRemaining()), { timeout: 5000 })
    : void setTimeout(() => work(() => FALLBACK_TIME_LEFT_MS), 200);
