import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/** @returns false in the server's HTML and during hydration, and then true */
export const useHydrated = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
