import { lazy, Suspense, useEffect, useState, type ComponentType, type LazyExoticComponent } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { withOneRetry } from '../ui/deferredComponent';
import { Spinner } from '../ui/Spinner';

type Load = () => Promise<{ default: ComponentType }>;

export interface LazyPage {
  Page: ComponentType;
  /** The name of its chunk, by which the server finds the files to preload. */
  chunk: string;
  /** Fetches the chunk before someone goes there. */
  prefetch: () => void;
}

/** A chunk that arrives within this time is not shown as pending. */
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

/** @returns a function to call when the chunk has arrived or failed */
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
  const arrived = trackPendingChunk();
  try {
    return await withOneRetry(load);
  } finally {
    arrived();
  }
}

/** A 404 for a chunk means a newer deploy: reload. */
async function reloadIfDeployed(error: Error & { request?: string }): Promise<never> {
  const answer = await fetch(error.request ?? '', { method: 'HEAD' }).catch(() => undefined);
  if (answer?.status === 404) window.location.reload();
  throw error;
}

/** Tells public/start.js that clicks which it kept can be answered. */
function AnnounceHydrated() {
  useEffect(() => void window.dispatchEvent(new Event('hydrated')), []);
  return null;
}

/** A page in a chunk of its own, with a message and a retry for when the chunk does not load. */
export function lazyPage(chunk: string, load: Load): LazyPage {
  let current = make();

  /** A chunk that failed is fetched again by the next visit. */
  function make(orElse?: typeof reloadIfDeployed): LazyExoticComponent<ComponentType> {
    const fetched = () => fetchChunk(load).catch(orElse);
    const forgetting = (error: Error) => {
      current = make();
      throw error;
    };
    return lazy(() => fetched().catch(forgetting));
  }

  function Page() {
    const [Content, setContent] = useState(() => current);
    const tryAgain = () => setContent((current = make(reloadIfDeployed)));
    return (
      <ErrorBoundary onRetry={tryAgain}>
        <Suspense fallback={<Spinner />}>
          <Content />
          <AnnounceHydrated />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return { Page, chunk, prefetch: () => void load().catch(() => undefined) };
}
