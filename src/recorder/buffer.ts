import type { Middleware } from '@reduxjs/toolkit';

/** One action or page event. The states are immutable, so storing them costs no copy. */
export interface Entry {
  at: number;
  path: string;
  action: { type: string };
  before: unknown;
  after: unknown;
}

/** Limits the memory if the recorder's chunk never loads. A visit has fewer entries until then. */
const MAX_ENTRIES = 1000;

let entries: Entry[] = [];
let latestState: unknown;
let onEntry: () => void = () => undefined;

function add(action: Entry['action'], before: unknown, after: unknown) {
  latestState = after;
  if (entries.length === MAX_ENTRIES) return;
  const { pathname, search } = location;
  entries.push({ at: Date.now(), path: pathname + search, action, before, after });
  onEntry();
}

/** Stores each action that changes the state, until the recorder reads it in an idle period. */
export const recordActions: Middleware = (store) => (next) => (action) => {
  const before: unknown = store.getState();
  const result = next(action);
  const after: unknown = store.getState();
  if (after !== before) add(action as Entry['action'], before, after);
  return result;
};

/** Stores an event of the page. It changes no state. */
export function recordEvent(event: Entry['action']): void {
  if (latestState) add(event, latestState, latestState);
}
export const recordError = (error: unknown): void => recordEvent({ type: 'page/threw', error } as Entry['action']);

export function takeEntries(count: number): Entry[] {
  const taken = entries.slice(0, count);
  entries = entries.slice(count);
  return taken;
}

export const watchEntries = (watcher: () => void): void => void (onEntry = watcher);
