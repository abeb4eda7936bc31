import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';

type Load = () => Promise<{ default: ComponentType }>;

const never = new Promise<never>(() => undefined);
const onServer = typeof window === 'undefined';
let isAlive = false;
const alive = onServer
  ? never
  : new Promise<unknown>((resolve) => window.addEventListener('alive', resolve, { once: true }));
void alive.then(() => (isAlive = true));

const whenIdle = () =>
  new Promise((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 2000 }) : setTimeout(resolve, 200),
  );

/**
 * A part whose script can wait: what stands finished in the first page's HTML waits until that is alive, and stays as
 * it is should the script not come. Of a page opened later it is at hand, and a failure is for the error boundary.
 */
export function later(load: Load, waiting: ReactNode = null): ComponentType {
  const inHtml = !onServer && !isAlive;
  if (isAlive) void load().catch(() => undefined);

  const twice = () =>
    load()
      .catch(load)
      .catch((failure: unknown) => {
        current = lazy(twice);
        throw failure;
      });
  const afterTheRest = () => alive.then(whenIdle).then(twice);
  let current = lazy(inHtml ? () => afterTheRest().catch(() => never) : onServer ? load : twice);

  return function Later() {
    const [Content] = useState(() => current);
    return (
      <Suspense fallback={waiting}>
        <Content />
      </Suspense>
    );
  };
}
