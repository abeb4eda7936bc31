/** An action with its time, its page and the hash of the state after it. */
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
 * The content of a saved session. The actions are in `payload`, and the state before them is in `preloadedState`. Both
 * are JSON text, which Redux DevTools can import.
 */
export interface SessionFile {
  about: string;
  format: 1;
  /** The main script's name, which differs in each build. It shows which version of the shop the customer had. */
  build: string;
  savedAt: string;
  /** This page load's trace id. `npm run explain -- TRACE` lists its requests from the server's log. */
  trace: string;
  /** The settings that change what pages show. */
  settings: ShownSettings;
  /**
   * The outlines of the pages, without duplicates. An outline has two characters for each element and each text (see
   * `pageOutline.ts`).
   */
  outlines: string[];
  /** The steps after which the page was read, and for each the index of its outline. */
  pages: [step: number, outline: number][];
  payload: string;
  preloadedState: string;
}
export const FILE_FORMAT = 1;
export const MAX_PACKED_BYTES = 64 * 1024;
export const MAX_RECORDED_MS = 30 * 60_000;
