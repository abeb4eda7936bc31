/** One step: an action, with the time, the page and the hash of the state after it. */
export interface RecordedAction {
  type: string;
  payload?: unknown;
  meta?: unknown;
  recorded: { at: number; path: string; state: string };
  [key: string]: unknown;
}

export type RecordedState = Record<string, unknown>;

export interface ShownSettings {
  google: boolean;
  payments: { kind: 'sandbox' | 'stripe'; testMode?: boolean | undefined };
  demo: boolean;
}

/**
 * A saved session. Redux DevTools imports it, because it reads `payload` (the actions) and `preloadedState` (the state
 * before them), both as JSON text.
 */
export interface SessionFile {
  about: string;
  format: 1;
  /** The name of the build's main script, which changes with every build. */
  build: string;
  savedAt: string;
  /** `npm run explain -- TRACE` lists this tab's requests in the server's log. */
  trace: string;
  /** What of the settings the pages show. */
  settings: ShownSettings;
  /** Each outline once: two letters for each element and text. */
  outlines: string[];
  /** The steps after which a page was read, and which outline it had. */
  pages: [step: number, outline: number][];
  payload: string;
  preloadedState: string;
}
export const FORMAT = 1;
export const MAX_PACKED_BYTES = 64 * 1024;
export const KEPT_MS = 30 * 60_000;
