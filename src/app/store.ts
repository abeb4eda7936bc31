import { combineReducers, configureStore, type Middleware } from '@reduxjs/toolkit';
import { apiSlice } from '../api/apiSlice';
import type { ApiExtra } from '../api/baseQuery';
import { adminSlice } from '../session/adminSlice';
import { authSlice } from '../session/authSlice';
import { listeners } from './listeners';

export const reducer = combineReducers({
  api: apiSlice.reducer,
  auth: authSlice.reducer,
  admin: adminSlice.reducer,
});

/** @param last sees the actions that reach the reducer */
export function makeStore(extra: ApiExtra, ...last: Middleware[]) {
  return configureStore({
    reducer,
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: extra } })
        .prepend(listeners.middleware)
        .concat(apiSlice.middleware, ...last),
  });
}

export type AppStore = ReturnType<typeof makeStore>;
export type RootState = ReturnType<typeof reducer>;
