import { randomKey } from '../contract/randomKey';
import { tabStorage } from '../storage';

const PREFIX = 'draft:';
const OWNER = 'drafts-of';

interface Stored {
  /** Field values that the customer changed. */
  values?: object;
  /** The last request without a success, and its idempotency key. */
  sent?: { body: string; key: string };
}

function read(name: string): Stored {
  try {
    return JSON.parse(tabStorage.read(PREFIX + name) ?? '{}') as Stored;
  } catch {
    return {};
  }
}

const change = (name: string, part: Stored) =>
  tabStorage.write(PREFIX + name, JSON.stringify({ ...read(name), ...part }));

/** Unsent form input. In this tab, it survives a failure, a reload and the end of a session. */
export const drafts = {
  valuesOf: <T>(name: string) => (read(name).values ?? {}) as Partial<T>,
  saveValues: (name: string, values: object) => change(name, { values }),
  remove: (name: string) => tabStorage.remove(PREFIX + name),
  /** @returns the same key for the same body until a success, so that a repeated request is recognized */
  keyFor(name: string, body: unknown): string {
    const text = JSON.stringify(body);
    const { sent } = read(name);
    if (sent?.body === text) return sent.key;
    const key = randomKey();
    change(name, { sent: { body: text, key } });
    return key;
  },
  renewKey: (name: string) => change(name, { sent: undefined }),
};

export function clearDrafts(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(PREFIX) || key === OWNER) tabStorage.remove(key);
}

/** After a session has expired, its drafts are kept for the same user and deleted for any other. */
export function assignDraftsTo(email: string): void {
  const owner = tabStorage.read(OWNER);
  if (owner !== null && owner !== email) clearDrafts();
  tabStorage.write(OWNER, email);
}
