import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { CHUNK_LOAD_TIMEOUT_MS } from '../contract/limits';

type Chunk<P> = { default: ComponentType<P> };
export type Load<P> = () => Promise<Chunk<P>>;

const neverResolves = new Promise<never>(() => undefined);
const isServer = typeof window === 'undefined';
let isHydrated = false;
const hydrated = isServer
  ? neverResolves
  : new Promise<unknown>((resolve) => window.addEventListener('hydrated', resolve, { once: true }));
void hydrated.then(() => (isHydrated = true));

const whenIdle = () =>
  new Promise((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 2000 }) : setTimeout(resolve, 200),
  );

export const whenHydratedAndIdle = () => hydrated.then(whenIdle);

const RETRY_DELAY_MS = 500;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls `load` again after half a second if it fails. Both calls together may take as long as one. */
export async function withOneRetry<T>(load: () => Promise<T>): Promise<T> {
  const endsAt = Date.now() + CHUNK_LOAD_TIMEOUT_MS;
  try {
    return await load();
  } catch (failure) {
    const remainingMs = endsAt - Date.now();
    if (remainingMs < RETRY_DELAY_MS) throw failure;
    const timeout = wait(remainingMs).then(() => Promise.reject(failure as Error));
    return Promise.race([wait(RETRY_DELAY_MS).then(load), timeout]);
  }
}

/**
 * Remembers a chunk, so that `lazy` renders it without its fallback once it has loaded. With a promise, React would show
 * the fallback for at least 300 ms.
 */
export function rememberChunk<P extends object>(importChunk: Load<P>) {
  let loaded: Chunk<P> | undefined;
  return {
    load: async () => (loaded = await importChunk()),
    /** @returns a function for `lazy`. It calls `fetchChunk` only while the chunk has not loaded. */
    loadedOr: (fetchChunk: Load<P>): Load<P> => {
      // A thenable that resolves at once, which `lazy` accepts, but its type does not.
      const thenable = { then: (resolve: (chunk: Chunk<P>) => void) => resolve(loaded!) } as Promise<Chunk<P>>;
      return () => (loaded ? thenable : fetchChunk());
    },
  };
}

/**
 * Tells public/start.js that this part of the page is hydrated, once all components in it know so. Then the clicks and
 * choices that were made in it before are repeated.
 */
export function AnnounceHydrated() {
  useEffect(() => queueMicrotask(() => window.dispatchEvent(new Event('hydrated'))), []);
  return null;
}

/**
 * A component in a chunk of its own. If it is in the server's HTML, its chunk is loaded only once the page is hydrated
 * and the browser is idle. If that fails, the HTML stays as it is. On a page that is opened later, the chunk is loaded
 * at once, and a failure reaches the error boundary.
 */
export function deferredComponent<P extends object>(load: Load<P>, fallback: ReactNode = null): ComponentType<P> {
  const isInServerHtml = !isServer && !isHydrated;
  const chunk = rememberChunk(load);
  if (isHydrated) void chunk.load().catch(() => undefined);

  const loadChunk = () =>
    withOneRetry(chunk.load).catch((failure: unknown) => {
      current = lazy(loadChunk);
      throw failure;
    });
  let current = lazy(
    isInServerHtml
      ? () =>
          whenHydratedAndIdle()
            .then(loadChunk)
            .catch(() => neverResolves)
      : isServer
        ? load
        : chunk.loadedOr(loadChunk),
  );

  return function DeferredComponent(props: P) {
    const [Content] = useState(() => current);
    return (
      <Suspense fallback={fallback}>
        <Content {...props} />
        <AnnounceHydrated />
      </Suspense>
    );
  };
}
