import { takeEntries, type Entry } from './buffer';
import { MAX_RECORDED_MS, type RecordedAction, type RecordedState } from './sessionFile';
import { selectRecordableState } from './recordableState';
import { createScrubber } from './scrub';
import { hashState } from './stateHash';

/**
 * A step begins a new segment if the last one has reached this age or this size. Each segment has the state before its
 * first step, so that a replay can start there after the older segments were dropped.
 */
const MAX_SEGMENT_MS = 5 * 60_000;
const MAX_SEGMENT_CHARACTERS = 150_000;

interface Segment {
  from: number;
  until: number;
  base: RecordedState;
  /** The JSON text of each action. */
  steps: string[];
  /** The page's outline after a step, by the step's index. */
  pages: Map<number, string>;
  /** The length of the steps and of the outlines. */
  characters: number;
}

const STACK_FRAME = /\/assets\/([\w.-]+\.js):(\d+):(\d+)/g;
const CHUNK_FILE = /\/assets\/([\w-]+)\.\w+\.js/;

/** @returns the name of the first chunk whose file a URL or a message names */
export const chunkNameIn = (text: string) => CHUNK_FILE.exec(text)?.[1];

/**
 * Keeps only an error's name and the positions in its stack, because its message can contain text that the customer
 * typed.
 */
function describeError(error: unknown): object {
  const { name = 'Error', message = '', stack = '' } = error instanceof Error ? error : {};
  const chunk = name === 'ChunkLoadError' ? chunkNameIn(message) : undefined;
  if (chunk) return { type: 'page/chunkFailed', chunk };
  const frames = [...stack.matchAll(STACK_FRAME)].map(([, file, line, column]) => `${file}:${line}:${column}`);
  return { type: 'page/threw', name: /^[A-Z]\w{1,30}Error$|^Error$/.test(name) ? name : 'Error', frames };
}

interface Requests {
  api: Record<'queries' | 'mutations', Record<string, { status?: string } | undefined>>;
}
const hasPendingRequest = (state: unknown) => {
  const { queries, mutations } = (state as Requests).api;
  return [...Object.values(queries), ...Object.values(mutations)].some((request) => request?.status === 'pending');
};

const NOISE = ['api/internalSubscriptions/', 'api/config/middlewareRegistered'];
const isNoise = ({ type }: Entry['action']) => NOISE.some((noise) => type.startsWith(noise));

export function createRecorder(endpoints: string[]) {
  const { scrub, scrubPath, mayDiffer } = createScrubber(endpoints);
  let segments: Segment[] = [];
  let lastEntry: Entry | undefined;

  /**
   * `selectRecordableState` returns a new object each time, but the unchanged parts of the state in it are the same
   * objects as before. `scrub` caches its result for each object, so it processes only the changed parts.
   */
  function scrubState(state: unknown): RecordedState {
    const { api, ...rest } = selectRecordableState(state);
    return { ...(scrub(rest) as RecordedState), api: scrub(api) };
  }

  function scrubAction(action: Entry['action']): Omit<RecordedAction, 'recorded'> {
    if (action.type === 'page/threw') return describeError((action as { error?: unknown }).error) as RecordedAction;
    // The name of a chunk comes from the build.
    if (action.type === 'page/chunkLoaded') return action;
    const { type, ...rest } = action;
    return { type, ...(scrub(rest) as object) };
  }

  function segmentFor({ at, before }: Entry): Segment {
    segments = segments.filter(({ until }) => until > at - MAX_RECORDED_MS);
    const last = segments.at(-1);
    if (last && at - last.from < MAX_SEGMENT_MS && last.characters < MAX_SEGMENT_CHARACTERS) return last;
    const next = {
      from: at,
      until: at,
      base: scrubState(before),
      steps: [],
      pages: new Map<number, string>(),
      characters: 0,
    };
    segments.push(next);
    return next;
  }

  function record(entry: Entry) {
    if (isNoise(entry.action)) return;
    lastEntry = entry;
    const segment = segmentFor(entry);
    const recorded = { at: entry.at, path: scrubPath(entry.path), state: hashState(scrubState(entry.after)) };
    const step = JSON.stringify({ ...scrubAction(entry.action), recorded });
    segment.steps.push(step);
    segment.characters += step.length;
    segment.until = entry.at;
  }

  function recordPage(outline: string) {
    const segment = segments.at(-1);
    if (!segment || [...segment.pages.values()].at(-1) === outline) return;
    segment.pages.set(segment.steps.length - 1, outline);
    segment.characters += outline.length;
  }

  return {
    record,
    recordPage,
    mayDiffer,
    msSinceLastStep: () => Date.now() - (lastEntry?.at ?? 0),
    /** Whether a request is pending. Then a page may still show earlier data, which a replay does not have. */
    hasPending: () => lastEntry !== undefined && hasPendingRequest(lastEntry.after),
    /**
     * Whether scrubbing leaves the query string as it is. If it changed a search, for example, a replay would show a
     * different page.
     */
    keepsQuery: (path: string) => scrubPath(path).split('?')[1] === path.split('?')[1],
    /** Records all buffered entries at once, without waiting until the browser is idle. */
    recordAll: () => takeEntries(Infinity).forEach(record),
    segments: (): readonly Segment[] => segments,
  };
}

export type Recorder = ReturnType<typeof createRecorder>;
