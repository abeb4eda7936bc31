import type { Middleware } from '@reduxjs/toolkit';

interface Settled {
  type: string;
  meta?: { arg?: { type?: string }; requestStatus?: string };
}

export const tellings = () => import(/* webpackChunkName: "tellings" */ './mutationToasts');
const hasEnded = ({ meta }: Settled) => meta?.arg?.type === 'mutation' && meta.requestStatus !== 'pending';

/** What follows from what has happened, once the store knows of it. */
export const listeners: Middleware =
  ({ getState }) =>
  (next) =>
  (action) => {
    const result = next(action);
    const state: unknown = getState();
    if (hasEnded(action as Settled))
      void tellings().then(
        ({ tell }) => tell(action as Settled & Record<string, unknown>, state),
        () => undefined,
      );
    return result;
  };
