import type { Logger } from 'pino';
import type { Metrics } from '../http/metrics';

/** The account's current state at the provider. A token that was signed earlier cannot contain it. */
export interface AccountState {
  isActive: boolean;
  sessionsEndedAt: Date | null;
}

/** @returns null if the provider did not report a state */
export type LookupAccount = (uid: string, idToken: string) => Promise<AccountState | null>;

const TIMEOUT_MS = 2000;
const PAUSE_MS = 30_000;
const ACCOUNT_REFUSED = /^(TOKEN_EXPIRED|USER_NOT_FOUND|USER_DISABLED|INVALID_ID_TOKEN)/;

interface LookupResponse {
  users?: { validSince?: string; passwordUpdatedAt?: number }[];
  error?: { message?: string };
}

function accountStateOf({ users, error }: LookupResponse): AccountState | null {
  if (ACCOUNT_REFUSED.test(error?.message ?? '')) return { isActive: false, sessionsEndedAt: null };
  const user = users?.[0];
  if (!user) return null;
  const ended = Math.max(Number(user.validSince ?? 0) * 1000, user.passwordUpdatedAt ?? 0);
  return { isActive: true, sessionsEndedAt: ended > 0 ? new Date(ended) : null };
}

interface LookupOptions {
  url: string;
  /** Google can restrict an API key to requests with the site's referrer. */
  referer: string;
  now: () => Date;
  /** Called for each lookup without a result. The sign-in is allowed then. */
  onFailure: (reason: string) => void;
  send?: typeof fetch;
}

/** Returns the error's code or name, because its message could contain personal data. */
const reasonOf = (error: unknown): string => {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
};

/** Google's messages begin with a code in capitals: `QUOTA_EXCEEDED : ...`. */
const refusalReason = (status: number, { error }: LookupResponse): string =>
  [`status ${status}`, /^[A-Z][A-Z_]+/.exec(error?.message ?? '')?.[0]].filter(Boolean).join(', ');

/** Looks accounts up at Identity Toolkit. It pauses after a failure, because the signing keys suffice to sign in. */
export function createAccountLookup({ url, referer, now, onFailure, send = fetch }: LookupOptions): LookupAccount {
  let pausedUntil = 0;
  return async (_uid, idToken) => {
    const pauseLeft = pausedUntil - now().getTime();
    if (pauseLeft > 0 && pauseLeft <= PAUSE_MS) {
      onFailure('paused after a failure');
      return null;
    }
    try {
      const response = await send(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', referer },
        body: JSON.stringify({ idToken }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const body = (await response.json()) as LookupResponse;
      const state = accountStateOf(body);
      if (!state) onFailure(refusalReason(response.status, body));
      return state;
    } catch (error) {
      onFailure(reasonOf(error));
      pausedUntil = now().getTime() + PAUSE_MS;
      return null;
    }
  };
}

const MINUTE_MS = 60_000;

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
    // After the clock was set back, the absolute difference still lets a warning through.
    if (Math.abs(at - warnedAt) < MINUTE_MS) return;
    log.warn({ failures, reason }, 'account lookup failed, sign-in allowed');
    warnedAt = at;
    failures = 0;
  };
}
