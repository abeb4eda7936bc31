import { IDEMPOTENCY_KEY_HOURS, MAX_RESEND_MS } from '../contract/limits';
import { randomKey } from '../contract/randomKey';
import { browserStorage } from '../storage';

const PREFIX = 'draft:';
const OWNER = 'drafts-of';

/** Shorter than the server knows a key, because a request with the key may be sent again for ten minutes. */
const KEPT_MS = IDEMPOTENCY_KEY_HOURS * 3_600_000 - MAX_RESEND_MS;

/** A request that has not succeeded. */
export interface SentRequest<B = unknown> {
  body: B;
  /** Its idempotency key. */
  key: string;
  at: number;
  /** Whether the page was waiting for the answer when this was stored. */
  isOpen: boolean;
}

interface Draft {
  at: number;
  /** The values that the customer has changed, by field. */
  values: object;
  sent: SentRequest[];
}

const isKept = ({ at }: { at: number }) => at > Date.now() - KEPT_MS;

function readDraft(name: string): Draft {
  const nothing = { at: 0, values: {}, sent: [] };
  try {
    const stored = JSON.parse(browserStorage.read(PREFIX + name) ?? '') as Draft;
    return isKept(stored) ? { ...stored, sent: stored.sent.filter(isKept) } : nothing;
  } catch {
    return nothing;
  }
}

function updateDraft(name: string, part: Partial<Draft>): void {
  const draft = { ...readDraft(name), ...part, at: Date.now() };
  const isEmpty = draft.sent.length + Object.keys(draft.values).length === 0;
  if (isEmpty) browserStorage.remove(PREFIX + name);
  else browserStorage.write(PREFIX + name, JSON.stringify(draft));
}

/**
 * Stores input that was not sent, and requests that were not answered. They survive failed requests, reloads, closed
 * tabs and an expired session, for a day. Signing out deletes them.
 */
export const drafts = {
  valuesOf: <T>(name: string) => readDraft(name).values as Partial<T>,
  saveValues: (name: string, values: object) => updateDraft(name, { values }),
  /** @returns the request to send, which has the same key as earlier requests with the same body, until one succeeds */
  open<B>(name: string, body: B): SentRequest<B> {
    const text = JSON.stringify(body);
    const { sent } = readDraft(name);
    const same = sent.find((request) => JSON.stringify(request.body) === text);
    const request = { body, key: same?.key ?? randomKey(), at: same?.at ?? Date.now(), isOpen: true };
    updateDraft(name, { sent: [...sent.filter((other) => other !== same), request] });
    return request;
  },
  /** @returns a request whose answer the page did not live to see */
  findOpen: <B>(name: string) => readDraft(name).sent.find(({ isOpen }) => isOpen) as SentRequest<B> | undefined,
  /** Its request failed. Any answer can be lost, so the same body will have the same key. */
  close: (name: string, key: string) =>
    updateDraft(name, {
      sent: readDraft(name).sent.map((request) => (request.key === key ? { ...request, isOpen: false } : request)),
    }),
  forgetKey: (name: string, key: string) =>
    updateDraft(name, { sent: readDraft(name).sent.filter((request) => request.key !== key) }),
  /** Keeps only requests of other tabs, which wait for their answers. */
  discard: (name: string, key?: string) =>
    updateDraft(name, { values: {}, sent: readDraft(name).sent.filter((other) => other.isOpen && other.key !== key) }),
};

const listDrafts = () => browserStorage.keys().filter((key) => key.startsWith(PREFIX));

export function clearDrafts(): void {
  for (const key of [...listDrafts(), OWNER]) browserStorage.remove(key);
}

/** Deletes old drafts, and those of an expired session if a different user signs in next in this browser. */
export function assignDraftsTo(email: string): void {
  const owner = browserStorage.read(OWNER);
  if (owner !== null && owner !== email) clearDrafts();
  for (const key of listDrafts()) if (!isKept(readDraft(key.slice(PREFIX.length)))) browserStorage.remove(key);
  browserStorage.write(OWNER, email);
}
