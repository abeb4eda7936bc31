/** An action with its time, the page on which it happened, and the hash of the state after it. */
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
 * The content of a saved session. Redux DevTools can import it, because it has the actions as `payload` and the state
 * before them as `preloadedState`, both as JSON text.
 */
export interface SessionFile {
  about: string;
  format: 1;
  /** The name of the main script, which differs in each build. It tells which version of the shop the customer had. */
  build: string;
  savedAt: string;
  /** The trace id of this page load. `npm run explain -- TRACE` lists its requests in the server's log. */
  trace: string;
  /** The settings that change what pages show. */
  settings: ShownSettings;
  /**
   * The outlines of the pages, each only once. An outline has two characters for each element and text (see
   * `pageOutline.ts`).
   */
  outlines: string[];
  /** The steps after which a page was read, each with the index of its outline. */
  pages: [step: number, outline: number][];
  payload: string;
  preloadedState: string;
}
export const FILE_FORMAT = 1;
export const MAX_PACKED_BYTES = 64 * 1024;
export const RECORDED_MS = 30 * 60_000;
