import { lazy, Suspense, useSyncExternalStore, type ComponentType } from 'react';
import { withOneRetry } from '../ui/deferredComponent';
import { hasEverNotified, watchToasts } from './notify';

type Container = { default: ComponentType };

/** Fetches the chunk that shows toasts: with the first of them, or before. */
export const loadToastContainer = (): Promise<Container> => import(/* webpackChunkName: "toasts" */ './ToastContainer');

const nextToast = () =>
  new Promise<void>((resolve) => {
    const stop = watchToasts(() => (stop(), resolve()));
  });
/** A toast that cannot be shown leaves the page as it is. The next toast fetches the chunk again. */
const fetchContainer = (): Promise<Container> =>
  withOneRetry(loadToastContainer).catch(() => nextToast().then(fetchContainer));
const ToastContainer = lazy(fetchContainer);

export function Toasts() {
  const needed = useSyncExternalStore(watchToasts, hasEverNotified, () => false);
  if (!needed) return null;
  return (
    <Suspense fallback={null}>
      <ToastContainer />
    </Suspense>
  );
}
