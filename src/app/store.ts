import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { apiSlice } from '../api/apiSlice';
import type { ApiExtra } from '../api/baseQuery';
import { adminSlice } from '../session/adminSlice';
import { authSlice } from '../session/authSlice';

export const reducer = combineReducers({
  api: apiSlice.reducer,
  auth: authSlice.reducer,
  admin: adminSlice.reducer,
});

/** By default, Redux DevTools shows the last 50 actions. A visit of 20 minutes with a purchase has several hundred. */
const devTools = { maxAge: 1000, actionsDenylist: ['api/internalSubscriptions', 'api/config'] };

export function createStore(extra: ApiExtra) {
  return configureStore({
    reducer,
    devTools,
    middleware: (defaults) => defaults({ thunk: { extraArgument: extra } }).concat(apiSlice.middleware),
  });
}

export type AppStore = ReturnType<typeof createStore>;
export type RootState = ReturnType<typeof reducer>;
