import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/** @returns false in the server's HTML and during hydration, true after that */
export const useHydrated = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
