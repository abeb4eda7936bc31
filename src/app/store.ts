import { combineReducers, configureStore, type Action, type Middleware } from '@reduxjs/toolkit';
import { apiSlice } from '../api/apiSlice';
import type { ApiExtra } from '../api/baseQuery';
import { adminSlice } from '../session/adminSlice';
import { authSlice } from '../session/authSlice';
import type { RecordedAction } from '../recorder/sessionFile';
import { describeRecordedAction } from './describeRecordedAction';
import { listeners } from './listeners';

export const reducer = combineReducers({
  api: apiSlice.reducer,
  auth: authSlice.reducer,
  admin: adminSlice.reducer,
});

/** Makes Redux DevTools list `placeOrder was sent` instead of `api/executeMutation/pending`. */
const devTools = {
  actionSanitizer: <A extends Action>(action: A): A => ({
    ...action,
    type: describeRecordedAction(action as unknown as RecordedAction),
  }),
  actionsDenylist: ['api/internalSubscriptions', 'api/config'],
};

/** @param lastMiddleware middleware that sees only actions that reach the reducer */
export function createStore(extra: ApiExtra, ...lastMiddleware: Middleware[]) {
  return configureStore({
    reducer,
    devTools,
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: extra } })
        .prepend(listeners.middleware)
        .concat(apiSlice.middleware, ...lastMiddleware),
  });
}

export type AppStore = ReturnType<typeof createStore>;
export type RootState = ReturnType<typeof reducer>;
