import { createListenerMiddleware, type UnknownAction } from '@reduxjs/toolkit';
import { toastTextOf } from '../contract/toastText';
import { notify } from '../feedback/notify';
import { selectAuth } from '../session/authSlice';

/** The only place that reacts to actions. */
export const listeners = createListenerMiddleware();

type Rejected = UnknownAction & {
  payload: unknown;
  meta: { rejectedWithValue: true; arg: { type: string }; baseQueryMeta?: { failure?: string } };
};

const isFailedMutation = (action: Partial<Rejected>): action is Rejected =>
  Boolean(action.meta?.rejectedWithValue) && action.meta?.arg?.type === 'mutation';

/**
 * Shows a toast unless the endpoint declares that its page shows the failure. After the session has ended, failed calls
 * get no toast, because the end of the session is announced itself.
 */
listeners.startListening({
  matcher: isFailedMutation,
  effect: ({ payload, meta }, { getState }) => {
    const { status } = selectAuth(getState() as Parameters<typeof selectAuth>[0]);
    if (!meta.baseQueryMeta?.failure && status === 'signedIn') notify.error(toastTextOf(payload));
  },
});
