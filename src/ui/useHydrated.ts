import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False in the server's HTML and until scripts run: a form's submit button stays disabled so long. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
