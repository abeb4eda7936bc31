import { RECORDED_EVENT } from '../ui/announceEvent';
import { recordEvent, takeEntries, watchEntries, type Entry } from './buffer';
import { chunkNameIn, createRecorder, type Recorder } from './recorder';
import { requestIdle } from './requestIdle';
import { watchPageOutline } from './watchPageOutline';

/** If less time is left in an idle period, the next entry waits for another period. */
const MIN_TIME_LEFT_MS = 3;

function recordWhenIdle(recorder: Recorder, onRecorded: () => void) {
  let isScheduled = false;

  function recordSome(timeLeft: () => number) {
    isScheduled = false;
    let taken: Entry[];
    do {
      taken = takeEntries(1);
      taken.forEach(recorder.record);
    } while (taken.length > 0 && timeLeft() > MIN_TIME_LEFT_MS);
    if (taken.length > 0) schedule();
    else onRecorded();
  }
  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    requestIdle(recordSome);
  }
  watchEntries(schedule);
  schedule();
}

/**
 * Records opened pages, announced events and errors. The router changes the URL with `pushState` and `replaceState`,
 * which cause no event, so both are wrapped. A link pushes a page, a redirect replaces one, and Back pops one.
 */
function recordPageEvents() {
  const recordPage = (how: 'pushed' | 'replaced' | 'popped') =>
    recordEvent({ type: 'page/opened', how } as Entry['action']);
  for (const name of ['pushState', 'replaceState'] as const) {
    const change = history[name].bind(history);
    history[name] = (...state: Parameters<History['pushState']>) => {
      const { pathname, search } = location;
      change(...state);
      if (location.pathname !== pathname || location.search !== search)
        recordPage(name === 'pushState' ? 'pushed' : 'replaced');
    };
  }
  window.addEventListener('popstate', () => recordPage('popped'));
  window.addEventListener(RECORDED_EVENT, (event) => recordEvent((event as CustomEvent<Entry['action']>).detail));
  window.addEventListener('error', ({ error }) => recordEvent({ type: 'page/threw', error } as Entry['action']));
}

/** Records that a chunk has loaded after it had failed. A replay then shows the page instead of the error. */
function recordRecoveredChunks() {
  const failed = new Set<string>();
  const watchScripts = (type: 'load' | 'error', onEvent: (chunk: string) => void) =>
    document.addEventListener(
      type,
      ({ target }) => {
        const chunk = target instanceof HTMLScriptElement && chunkNameIn(target.src);
        if (chunk) onEvent(chunk);
      },
      true,
    );
  watchScripts('error', (chunk) => failed.add(chunk));
  watchScripts('load', (chunk) => {
    if (failed.delete(chunk)) recordEvent({ type: 'page/chunkLoaded', chunk } as Entry['action']);
  });
}

/** @param hasDrafts whether forms contain unsent input, which is not in the state */
export function startRecorder(endpoints: string[], hasDrafts: () => boolean) {
  const recorder = createRecorder(endpoints);
  const { readWhenStable, readPage } = watchPageOutline(recorder, hasDrafts);
  recordWhenIdle(recorder, readWhenStable);
  recordPageEvents();
  recordRecoveredChunks();
  return { recorder, readPage };
}
