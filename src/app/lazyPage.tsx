import { lazy, Suspense, useEffect, useState, type ComponentType, type LazyExoticComponent } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { withOneRetry } from '../ui/deferredComponent';
import { Spinner } from '../ui/Spinner';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

export interface LazyPage<P = object> {
  Page: ComponentType<P>;
  /** The name of the page's chunk, by which the server finds the files to load with the HTML. */
  chunk: string;
  /** Fetches the chunk before the customer opens the page. */
  prefetch: () => void;
}

/** A chunk counts as pending only after this time, so that no progress bar flashes for a fast one. */
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

/** @returns a function to call when the chunk has loaded or failed */
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

/**
 * If the server answers 404 for the chunk, a newer version of the shop is deployed. Reloading the page gets that
 * version.
 */
async function reloadIfDeployed(error: Error & { request?: string }): Promise<never> {
  const response = await fetch(error.request ?? '', { method: 'HEAD' }).catch(() => undefined);
  if (response?.status === 404) window.location.reload();
  throw error;
}

/** Tells public/start.js to replay the clicks that it recorded before hydration. */
function AnnounceHydrated() {
  useEffect(() => void window.dispatchEvent(new Event('hydrated')), []);
  return null;
}

/** A page in a chunk of its own. If the chunk does not load, the page shows an error and a button to retry. */
export function lazyPage<P extends object>(chunk: string, load: Load<P>): LazyPage<P> {
  let current = createLazy();

  /**
   * React remembers the failure of a lazy component. Therefore a failed one is replaced, so that the next visit loads
   * the chunk again.
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
