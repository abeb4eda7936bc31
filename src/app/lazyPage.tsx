import { lazy, Suspense, useEffect, useState, type ComponentType, type LazyExoticComponent } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { withOneRetry } from '../ui/deferredComponent';
import { Spinner } from '../ui/Spinner';

type Load = () => Promise<{ default: ComponentType }>;

export interface LazyPage {
  Page: ComponentType;
  /** The name of its chunk. The server uses it to find the files to preload. */
  chunk: string;
  /** Fetches the chunk before the customer opens the page. */
  prefetch: () => void;
}

/** Faster chunks are never shown as pending. */
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

/** @returns a function to call once the chunk has loaded or failed */
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

async function fetchChunk(load: Load) {
  const stopTracking = trackPendingChunk();
  try {
    return await withOneRetry(load);
  } finally {
    stopTracking();
  }
}

/** A 404 for a chunk means a newer deploy: reload. */
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

/** A page in its own chunk. If the chunk does not load, the page shows an error with a retry button. */
export function lazyPage(chunk: string, load: Load): LazyPage {
  let current = createLazy();

  /** After a failure, the next visit loads the chunk again. */
  function createLazy(handleFailure?: typeof reloadIfDeployed): LazyExoticComponent<ComponentType> {
    const loadChunk = () => fetchChunk(load).catch(handleFailure);
    const resetAndThrow = (error: Error) => {
      current = createLazy();
      throw error;
    };
    return lazy(() => loadChunk().catch(resetAndThrow));
  }

  function Page() {
    const [Content, setContent] = useState(() => current);
    const retry = () => setContent((current = createLazy(reloadIfDeployed)));
    return (
      <ErrorBoundary onRetry={retry}>
        <Suspense fallback={<Spinner />}>
          <Content />
          <AnnounceHydrated />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return { Page, chunk, prefetch: () => void load().catch(() => undefined) };
}
