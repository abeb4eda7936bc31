import type { Middleware } from '@reduxjs/toolkit';

/** An action or event, with the states before and after it. States are immutable, so they need not be copied. */
export interface Entry {
  at: number;
  path: string;
  action: { type: string };
  before: unknown;
  after: unknown;
}

/** Limits the memory in case the recorder's chunk never loads. Normally there are far fewer entries before it loads. */
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

/** Stores each action that changes the state. The recorder processes them when the browser is idle. */
export const recordActions: Middleware = (store) => (next) => (action) => {
  const before: unknown = store.getState();
  const result = next(action);
  const after: unknown = store.getState();
  if (after !== before) add(action as Entry['action'], before, after);
  return result;
};

/** Stores an event that changes no state, such as an error. */
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
