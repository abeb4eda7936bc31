import { newKey } from '../contract/randomKey';
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

/** Unsent input of forms. It survives a failure, a reload and the end of a session, in this tab. */
export const drafts = {
  valuesOf: <T>(name: string) => (read(name).values ?? {}) as Partial<T>,
  keepValues: (name: string, values: object) => change(name, { values }),
  forget: (name: string) => tabStorage.remove(PREFIX + name),
  /** @returns the same key for the same body until a success, so that a repeated request is recognized */
  keyFor(name: string, body: unknown): string {
    const text = JSON.stringify(body);
    const { sent } = read(name);
    if (sent?.body === text) return sent.key;
    const key = newKey();
    change(name, { sent: { body: text, key } });
    return key;
  },
  renewKey: (name: string) => change(name, { sent: undefined }),
};

export function clearDrafts(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(PREFIX) || key === OWNER) tabStorage.remove(key);
}

/** Drafts of a session that ended by itself are there when the same person signs in again, and for nobody else. */
export function assignDraftsTo(email: string): void {
  const owner = tabStorage.read(OWNER);
  if (owner !== null && owner !== email) clearDrafts();
  tabStorage.write(OWNER, email);
}
