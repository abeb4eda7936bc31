import { createListenerMiddleware, type UnknownAction } from '@reduxjs/toolkit';
import { toastTextOf } from '../contract/toastText';
import { notify } from '../feedback/notify';
import { selectAuth } from '../session/authSlice';

/** All reactions to actions of the store are listeners of this middleware. */
export const listeners = createListenerMiddleware();

type Rejected = UnknownAction & {
  payload: unknown;
  meta: { rejectedWithValue: true; arg: { type: string }; baseQueryMeta?: { failure?: string } };
};

const isFailedMutation = (action: Partial<Rejected>): action is Rejected =>
  Boolean(action.meta?.rejectedWithValue) && action.meta?.arg?.type === 'mutation';

/**
 * Shows a failed mutation as a toast, unless its endpoint declares that the page shows the failure. Calls that fail
 * after the session has ended get no toast, because a toast about the end of the session was shown.
 */
listeners.startListening({
  matcher: isFailedMutation,
  effect: ({ payload, meta }, { getState }) => {
    const { status } = selectAuth(getState() as Parameters<typeof selectAuth>[0]);
    if (!meta.baseQueryMeta?.failure && status === 'signedIn') notify.error(toastTextOf(payload));
  },
});
