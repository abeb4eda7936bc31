import { randomKey } from '../contract/randomKey';
import { tabStorage } from '../storage';

const PREFIX = 'draft:';
const OWNER = 'drafts-of';

interface SentRequest {
  body: string;
  key: string;
}

interface Stored {
  /** The values that the customer has changed, by field. */
  values?: object;
  /** Requests that have not succeeded, in the order in which they were sent. Each has its idempotency key. */
  sent?: SentRequest[];
}

function readDraft(name: string): Stored {
  try {
    return JSON.parse(tabStorage.read(PREFIX + name) ?? '{}') as Stored;
  } catch {
    return {};
  }
}

const updateDraft = (name: string, part: Stored) =>
  tabStorage.write(PREFIX + name, JSON.stringify({ ...readDraft(name), ...part }));

/** A draft stored by an older version has no list of requests. */
function sentRequests(name: string): SentRequest[] {
  const { sent } = readDraft(name);
  return Array.isArray(sent) ? sent : [];
}

/**
 * Stores input that was not sent. In this tab, it survives failed requests, reloads and an expired session. Signing out
 * deletes it.
 */
export const drafts = {
  valuesOf: <T>(name: string) => (readDraft(name).values ?? {}) as Partial<T>,
  saveValues: (name: string, values: object) => updateDraft(name, { values }),
  remove: (name: string) => tabStorage.remove(PREFIX + name),
  /**
   * Keeps the keys of all requests, because any response can be lost.
   * @returns the same idempotency key for the same body, until a request succeeds
   */
  keyFor(name: string, body: unknown): string {
    const text = JSON.stringify(body);
    const sent = sentRequests(name);
    const key = sent.find((request) => request.body === text)?.key ?? randomKey();
    updateDraft(name, { sent: [...sent.filter((request) => request.body !== text), { body: text, key }] });
    return key;
  },
  /** Forgets the key of the last request, so that the same body gets a new key. */
  forgetLastKey: (name: string) => updateDraft(name, { sent: sentRequests(name).slice(0, -1) }),
};

export function clearDrafts(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(PREFIX) || key === OWNER) tabStorage.remove(key);
}

/** Deletes the drafts of an expired session if a different user signs in next in this tab. */
export function assignDraftsTo(email: string): void {
  const owner = tabStorage.read(OWNER);
  if (owner !== null && owner !== email) clearDrafts();
  tabStorage.write(OWNER, email);
}
