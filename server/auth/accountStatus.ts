import type { Logger } from 'pino';
import type { Metrics } from '../http/metrics';

/** What the provider says of the account now, which a token signed earlier cannot know. */
export interface AccountState {
  alive: boolean;
  sessionsEndedAt: Date | null;
}

/** Null: the provider did not say. */
export type AskAccount = (uid: string, idToken: string) => Promise<AccountState | null>;

const PATIENCE_MS = 2000;
const SILENT_FOR_MS = 30_000;
const OVER = /^(TOKEN_EXPIRED|USER_NOT_FOUND|USER_DISABLED|INVALID_ID_TOKEN)/;

interface LookUpAnswer {
  users?: { validSince?: string; passwordUpdatedAt?: number }[];
  error?: { message?: string };
}

function stateOf({ users, error }: LookUpAnswer): AccountState | null {
  if (OVER.test(error?.message ?? '')) return { alive: false, sessionsEndedAt: null };
  const user = users?.[0];
  if (!user) return null;
  const ended = Math.max(Number(user.validSince ?? 0) * 1000, user.passwordUpdatedAt ?? 0);
  return { alive: true, sessionsEndedAt: ended > 0 ? new Date(ended) : null };
}

interface LookUp {
  url: string;
  /** An API key may be bound to the site it is for. */
  referer: string;
  now: () => Date;
  /** Called for each look-up without an answer: the sign-in counts as allowed. */
  onFailure: (reason: string) => void;
  send?: typeof fetch;
}

/** What an operator needs to know, without the words of a message, which could hold people's data. */
const reasonOf = (error: unknown): string => {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
};

/** Google writes its own codes in capitals at the front: `QUOTA_EXCEEDED : ...`. */
const refusalIn = (status: number, { error }: LookUpAnswer): string =>
  [`status ${status}`, /^[A-Z][A-Z_]+/.exec(error?.message ?? '')?.[0]].filter(Boolean).join(', ');

/** Asks Identity Toolkit. After a failure nothing is asked for a while, since the keys alone suffice to sign in. */
export function askIdentityToolkit({ url, referer, now, onFailure, send = fetch }: LookUp): AskAccount {
  let silentUntil = 0;
  return async (_uid, idToken) => {
    const silentFor = silentUntil - now().getTime();
    if (silentFor > 0 && silentFor <= SILENT_FOR_MS) {
      onFailure('not asked after a failure');
      return null;
    }
    try {
      const response = await send(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', referer },
        body: JSON.stringify({ idToken }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const answer = (await response.json()) as LookUpAnswer;
      const state = stateOf(answer);
      if (!state) onFailure(refusalIn(response.status, answer));
      return state;
    } catch (error) {
      onFailure(reasonOf(error));
      silentUntil = now().getTime() + SILENT_FOR_MS;
      return null;
    }
  };
}

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
