import { lazy, Suspense, useSyncExternalStore } from 'react';
import { rememberChunk, withOneRetry } from '../ui/deferredComponent';
import { hasEverNotified, watchToasts } from './notify';

const container = rememberChunk(() => import(/* webpackChunkName: "toasts" */ './ToastContainer'));
/** Fetches the chunk before the first toast. */
export const loadToastContainer = container.load;

const waitForNextToast = () =>
  new Promise<void>((resolve) => {
    const stop = watchToasts(() => (stop(), resolve()));
  });
/** If the chunk does not load, the page works without toasts. The next toast tries to load it again. */
const fetchContainer = (): ReturnType<typeof container.load> =>
  withOneRetry(container.load).catch(() => waitForNextToast().then(fetchContainer));
const ToastContainer = lazy(container.loadedOr(fetchContainer));

export function Toasts() {
  const needed = useSyncExternalStore(watchToasts, hasEverNotified, () => false);
  if (!needed) return null;
  return (
    <Suspense fallback={null}>
      <ToastContainer />
    </Suspense>
  );
}
