import type { Logger } from 'pino';
import type { Metrics } from '../http/metrics';

/** The account's current state at the provider. It may have changed since the user's ID token was signed. */
export interface AccountStatus {
  isActive: boolean;
  sessionsEndedAt: Date | null;
}

/** @returns null if the provider did not report a state */
export type LookupAccount = (uid: string, idToken: string) => Promise<AccountStatus | null>;

const LOOKUP_TIMEOUT_MS = 2000;
const PAUSE_AFTER_FAILURE_MS = 30_000;
const ACCOUNT_REFUSED = /^(TOKEN_EXPIRED|USER_NOT_FOUND|USER_DISABLED|INVALID_ID_TOKEN)/;

interface LookupResponse {
  users?: { validSince?: string; passwordUpdatedAt?: number }[];
  error?: { message?: string };
}

function accountStatusOf({ users, error }: LookupResponse): AccountStatus | null {
  if (ACCOUNT_REFUSED.test(error?.message ?? '')) return { isActive: false, sessionsEndedAt: null };
  const user = users?.[0];
  if (!user) return null;
  const ended = Math.max(Number(user.validSince ?? 0) * 1000, user.passwordUpdatedAt ?? 0);
  return { isActive: true, sessionsEndedAt: ended > 0 ? new Date(ended) : null };
}

interface LookupOptions {
  url: string;
  /**
   * Sent as the `Referer` header, because the owner of a Google API key can restrict it to requests from the shop's
   * pages.
   */
  referer: string;
  now: () => Date;
  /** Receives the reason why a lookup failed. The sign-in continues without the account's state. */
  onFailure: (reason: string) => void;
  send?: typeof fetch;
}

/** Returns the error's code or name and not its message, which could contain personal data. */
const reasonOf = (error: unknown): string => {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
};

/** Keeps only the code in capitals that Google's message begins with, for example `QUOTA_EXCEEDED`. */
const refusalReason = (status: number, { error }: LookupResponse): string =>
  [`status ${status}`, /^[A-Z][A-Z_]+/.exec(error?.message ?? '')?.[0]].filter(Boolean).join(', ');

/**
 * Looks up accounts at Google's Identity Toolkit. After a request that got no valid response, returns null for 30
 * seconds without sending another, so that an outage does not slow down sign-ins. Sign-ins remain safe, because the ID
 * token's signature is checked in any case.
 */
export function createAccountLookup({ url, referer, now, onFailure, send = fetch }: LookupOptions): LookupAccount {
  let pausedUntil = 0;
  return async (_uid, idToken) => {
    const pauseLeft = pausedUntil - now().getTime();
    if (pauseLeft > 0 && pauseLeft <= PAUSE_AFTER_FAILURE_MS) {
      onFailure('lookups are paused after a failure');
      return null;
    }
    try {
      const response = await send(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', referer },
        body: JSON.stringify({ idToken }),
        signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS),
      });
      const body = (await response.json()) as LookupResponse;
      const state = accountStatusOf(body);
      if (!state) onFailure(refusalReason(response.status, body));
      return state;
    } catch (error) {
      onFailure(reasonOf(error));
      pausedUntil = now().getTime() + PAUSE_AFTER_FAILURE_MS;
      return null;
    }
  };
}

const WARNING_INTERVAL_MS = 60_000;

/** Counts failed account lookups, and logs a warning at most once a minute. */
export function createLookupFailureReporter(metrics: Metrics, log: Logger, now: () => Date): (reason: string) => void {
  const count = metrics.createCounter(
    'forgeline_account_look_up_failures_total',
    'Sign-ins allowed although the account lookup at the identity provider failed.',
  );
  let failures = 0;
  let warnedAt = -Infinity;
  return (reason) => {
    count();
    failures += 1;
    const at = now().getTime();
    // Uses the absolute difference. Otherwise, after the clock was set back, no warning would be logged until it has
    // caught up.
    if (Math.abs(at - warnedAt) < WARNING_INTERVAL_MS) return;
    log.warn({ failures, reason }, 'account lookup failed, sign-in allowed');
    warnedAt = at;
    failures = 0;
  };
}
