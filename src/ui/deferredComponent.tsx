import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

const never = new Promise<never>(() => undefined);
const onServer = typeof window === 'undefined';
let isHydrated = false;
const hydrated = onServer
  ? never
  : new Promise<unknown>((resolve) => window.addEventListener('hydrated', resolve, { once: true }));
void hydrated.then(() => (isHydrated = true));

const whenIdle = () =>
  new Promise((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 2000 }) : setTimeout(resolve, 200),
  );

export const whenHydratedAndIdle = () => hydrated.then(whenIdle);

const AGAIN_AFTER_MS = 500;

/** One bounded retry, a moment later. */
export const withOneRetry = <T,>(load: () => Promise<T>): Promise<T> =>
  load().catch(() => new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS)).then(load));

/**
 * A part whose script can wait: what stands finished in the first page's HTML waits until that is alive, and stays as
 * it is should the script not come. Of a page opened later it is at hand, and a failure is for the error boundary.
 */
export function deferredComponent<P extends object>(load: Load<P>, waiting: ReactNode = null): ComponentType<P> {
  const inHtml = !onServer && !isHydrated;
  if (isHydrated) void load().catch(() => undefined);

  const fetchPart = () =>
    withOneRetry(load).catch((failure: unknown) => {
      current = lazy(fetchPart);
      throw failure;
    });
  let current = lazy(
    inHtml
      ? () =>
          whenHydratedAndIdle()
            .then(fetchPart)
            .catch(() => never)
      : onServer
        ? load
        : fetchPart,
  );

  return function Later(props: P) {
    const [Content] = useState(() => current);
    return (
      <Suspense fallback={waiting}>
        <Content {...props} />
      </Suspense>
    );
  };
}
