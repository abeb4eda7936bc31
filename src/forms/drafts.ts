import { randomKey } from '../contract/randomKey';
import { tabStorage } from '../storage';

const PREFIX = 'draft:';
const OWNER = 'drafts-of';

interface SentRequest {
  body: string;
  key: string;
}

interface Stored {
  /** Field values that the customer changed. */
  values?: object;
  /** Requests that have not succeeded, with their idempotency keys, in the order in which they were sent. */
  sent?: SentRequest[];
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

/** A draft of an older version has one request and no list. */
function sentRequests(name: string): SentRequest[] {
  const { sent } = read(name);
  return Array.isArray(sent) ? sent : [];
}

/** Unsent form input. In this tab, it survives a failure, a reload and the end of a session. */
export const drafts = {
  valuesOf: <T>(name: string) => (read(name).values ?? {}) as Partial<T>,
  saveValues: (name: string, values: object) => change(name, { values }),
  exist: () => tabStorage.keys().some((key) => key.startsWith(PREFIX)),
  remove: (name: string) => tabStorage.remove(PREFIX + name),
  /**
   * A response can be lost after any of several requests, so the key of each one is kept.
   * @returns the same key for the same body until a success, so that a repeated request is recognized
   */
  keyFor(name: string, body: unknown): string {
    const text = JSON.stringify(body);
    const sent = sentRequests(name);
    const key = sent.find((request) => request.body === text)?.key ?? randomKey();
    change(name, { sent: [...sent.filter((request) => request.body !== text), { body: text, key }] });
    return key;
  },
  /** Forgets the key of the last request, so that the same body is a new request. */
  renewKey: (name: string) => change(name, { sent: sentRequests(name).slice(0, -1) }),
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
