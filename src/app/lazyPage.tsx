import { lazy, Suspense, useEffect, useReducer, useState, type ComponentType, type LazyExoticComponent } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { AnnounceHydrated, rememberChunk, withOneRetry, type Load } from '../ui/deferredComponent';
import { Spinner } from '../ui/Spinner';

export interface LazyPage<P = object> {
  Page: ComponentType<P>;
  /** The name of the page's chunk. With it, the server finds the files that the HTML must load. */
  chunk: string;
  /** Fetches the chunk. Once it has loaded, the page renders without a fallback. */
  prefetch: (queryString?: string) => void;
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

/** A page in a chunk of its own. If the chunk does not load, the page shows an error and a button to retry. */
export function lazyPage<P extends object>(chunk: string, importPage: Load<P>): LazyPage<P> {
  const { load, loadedOr } = rememberChunk(importPage);
  let loading: Promise<unknown> | undefined;
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
    const loadPage = () => {
      const page = loadChunk().catch(resetAndThrow);
      loading = page;
      return page;
    };
    return lazy(loadedOr(loadPage));
  }

  /** Renders again once the chunk has loaded. Otherwise React would show the fallback for at least 300 ms. */
  function useUpdateAfterLoading() {
    const [, update] = useReducer((count: number) => count + 1, 0);
    useEffect(() => void loading?.then(update, () => undefined), []);
  }

  function Page(props: P) {
    const [Content, setContent] = useState(() => current);
    const retry = () => setContent((current = createLazy(reloadIfDeployed)));
    useUpdateAfterLoading();
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
