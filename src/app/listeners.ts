import { createListenerMiddleware, type UnknownAction } from '@reduxjs/toolkit';
import { toastTextOf } from '../contract/toastText';
import { notify } from '../feedback/notify';
import { selectAuth } from '../session/authSlice';

export const listeners = createListenerMiddleware();

type Rejected = UnknownAction & {
  payload: unknown;
  meta: { rejectedWithValue: true; arg: { type: string }; baseQueryMeta?: { failure?: string } };
};

const isFailedMutation = (action: Partial<Rejected>): action is Rejected =>
  Boolean(action.meta?.rejectedWithValue) && action.meta?.arg?.type === 'mutation';

/**
 * Shows a failed mutation as a toast, unless the page shows the failure itself. A call that fails because the session
 * has ended gets no toast, because a toast has already reported that end.
 */
listeners.startListening({
  matcher: isFailedMutation,
  effect: ({ payload, meta }, { getState }) => {
    const { status } = selectAuth(getState() as Parameters<typeof selectAuth>[0]);
    if (!meta.baseQueryMeta?.failure && status === 'signedIn') notify.error(toastTextOf(payload));
  },
});
