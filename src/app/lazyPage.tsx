import { lazy, Suspense, useEffect, useState, type ComponentType, type LazyExoticComponent } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { withOneRetry } from '../ui/deferredComponent';
import { Spinner } from '../ui/Spinner';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

export interface LazyPage<P = object> {
  Page: ComponentType<P>;
  /** The name of the page's chunk. With it, the server finds the files that the HTML must load. */
  chunk: string;
  /** Fetches the chunk before the customer opens the page. */
  prefetch: () => void;
}

/** A chunk counts as pending only after this time, so that a fast one causes no flash of the progress bar. */
const PENDING_AFTER_MS = 150;
let pendingChunks = 0;
const watchers = new Set<() => void>();

export const hasPendingChunk = () => pendingChunks > 0;
export function watchPendingChunks(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

function changePending(by: number) {
  pendingChunks += by;
  for (const watcher of watchers) watcher();
}

/** @returns a function that must be called when the chunk has loaded or failed */
function trackPendingChunk() {
  let isPending = false;
  const timer = setTimeout(() => {
    isPending = true;
    changePending(1);
  }, PENDING_AFTER_MS);
  return () => {
    clearTimeout(timer);
    if (isPending) changePending(-1);
  };
}

async function fetchChunk<P>(load: Load<P>) {
  const stopTracking = trackPendingChunk();
  try {
    return await withOneRetry(load);
  } finally {
    stopTracking();
  }
}

/** A 404 for the chunk means that a newer version of the shop was deployed. Reloading the page gets that version. */
async function reloadIfDeployed(error: Error & { request?: string }): Promise<never> {
  const response = await fetch(error.request ?? '', { method: 'HEAD' }).catch(() => undefined);
  if (response?.status === 404) window.location.reload();
  throw error;
}

/** Tells public/start.js to repeat the clicks that it recorded before hydration. */
function AnnounceHydrated() {
  useEffect(() => void window.dispatchEvent(new Event('hydrated')), []);
  return null;
}

/** A page in a chunk of its own. If the chunk does not load, the page shows an error and a button to retry. */
export function lazyPage<P extends object>(chunk: string, load: Load<P>): LazyPage<P> {
  let current = createLazy();

  /**
   * React remembers the failure of a lazy component, so a failed component is replaced. Then the next visit loads the
   * chunk again.
   */
  function createLazy(handleFailure?: typeof reloadIfDeployed): LazyExoticComponent<ComponentType<P>> {
    const loadChunk = () => fetchChunk(load).catch(handleFailure);
    const resetAndThrow = (error: Error) => {
      current = createLazy();
      throw error;
    };
    return lazy(() => loadChunk().catch(resetAndThrow));
  }

  function Page(props: P) {
    const [Content, setContent] = useState(() => current);
    const retry = () => setContent((current = createLazy(reloadIfDeployed)));
    return (
      <ErrorBoundary onRetry={retry}>
        <Suspense fallback={<Spinner />}>
          <Content {...props} />
          <AnnounceHydrated />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return { Page, chunk, prefetch: () => void load().catch(() => undefined) };
}
