import { createListenerMiddleware, type UnknownAction } from '@reduxjs/toolkit';
import { toastTextOf } from '../contract/toastText';
import { notify } from '../feedback/notify';
import { selectAuth } from '../session/authSlice';

/** What follows from an action, in one place. */
export const listeners = createListenerMiddleware();

type Rejected = UnknownAction & {
  payload: unknown;
  meta: { rejectedWithValue: true; arg: { type: string }; baseQueryMeta?: { failure?: string } };
};

const isFailedMutation = (action: Partial<Rejected>): action is Rejected =>
  Boolean(action.meta?.rejectedWithValue) && action.meta?.arg?.type === 'mutation';

/** A call declares when its failure is shown in place. After a session ended, its calls fail for a known reason. */
listeners.startListening({
  matcher: isFailedMutation,
  effect: ({ payload, meta }, { getState }) => {
    const { status } = selectAuth(getState() as Parameters<typeof selectAuth>[0]);
    if (!meta.baseQueryMeta?.failure && status === 'signedIn') notify.error(toastTextOf(payload));
  },
});
