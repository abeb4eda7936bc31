import { lazy, Suspense, useSyncExternalStore, type ComponentType } from 'react';
import { twice } from '../ui/later';
import { hasEverNotified, watchNotes } from './notify';
import { loadToastBox } from './loadToastContainer';

type Box = { default: ComponentType };

const nextNote = () =>
  new Promise<void>((resolve) => {
    const stop = watchNotes(() => (stop(), resolve()));
  });
/** A word that cannot be shown must not take the page with it; with the next one it is tried again. */
const fetchBox = (): Promise<Box> => twice(loadToastBox).catch(() => nextNote().then(fetchBox));
const ToastBox = lazy(fetchBox);

/** The place of toasts; its part is fetched with the first of them. */
export function Toasts() {
  const needed = useSyncExternalStore(watchNotes, hasEverNotified, () => false);
  if (!needed) return null;
  return (
    <Suspense fallback={null}>
      <ToastBox />
    </Suspense>
  );
}
