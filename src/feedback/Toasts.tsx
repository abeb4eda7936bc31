import { lazy, Suspense, useSyncExternalStore, type ComponentType } from 'react';
import { withOneRetry } from '../ui/deferredComponent';
import { hasEverNotified, watchToasts } from './notify';

type ToastModule = { default: ComponentType };

export const loadToastContainer = (): Promise<ToastModule> =>
  import(/* webpackChunkName: "toasts" */ './ToastContainer');

const waitForNextToast = () =>
  new Promise<void>((resolve) => {
    const stop = watchToasts(() => (stop(), resolve()));
  });
/** If the chunk does not load, the page works without toasts. The next toast tries to load it again. */
const fetchContainer = (): Promise<ToastModule> =>
  withOneRetry(loadToastContainer).catch(() => waitForNextToast().then(fetchContainer));
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
