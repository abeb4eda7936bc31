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
  send?: typeof fetch;
}

/** Asks Identity Toolkit; one that does not answer is left alone for a while, since keys alone suffice. */
export function askIdentityToolkit({ url, referer, now, send = fetch }: LookUp): AskAccount {
  let silentUntil = 0;
  return async (_uid, idToken) => {
    const silentFor = silentUntil - now().getTime();
    if (silentFor > 0 && silentFor <= SILENT_FOR_MS) return null;
    try {
      const response = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', referer },
        body: JSON.stringify({ idToken }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return stateOf((await response.json()) as LookUpAnswer);
    } catch {
      silentUntil = now().getTime() + SILENT_FOR_MS;
      return null;
    }
  };
}
