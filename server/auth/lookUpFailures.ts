import type { Logger } from 'pino';
import type { Metrics } from '../http/metrics';

const MINUTE_MS = 60_000;

/** Counts the account look-ups that failed, and warns of them once a minute. */
export function lookUpFailures(metrics: Metrics, log: Logger, now: () => Date): (reason: string) => void {
  const count = metrics.counter(
    'forgeline_account_look_up_failures_total',
    'Sign-ins let through because the identity provider did not answer about the account.',
  );
  let failures = 0;
  let warnedAt = -Infinity;
  return (reason) => {
    count();
    failures += 1;
    const at = now().getTime();
    // A clock that was set back must not silence the warning.
    if (Math.abs(at - warnedAt) < MINUTE_MS) return;
    log.warn({ failures, reason }, 'account look-up failed, sign-in allowed');
    warnedAt = at;
    failures = 0;
  };
}
