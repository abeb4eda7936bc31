import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/** False in the server's HTML and until hydration. Submit buttons stay disabled until then. */
export const useHydrated = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
