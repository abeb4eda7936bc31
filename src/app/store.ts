import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { apiSlice } from '../api/apiSlice';
import type { ApiExtra } from '../api/baseQuery';
import { adminSlice } from '../session/adminSlice';
import { authSlice } from '../session/authSlice';
import { listeners } from './listeners';

const reducer = combineReducers({
  api: apiSlice.reducer,
  auth: authSlice.reducer,
  admin: adminSlice.reducer,
});

export function makeStore(extra: ApiExtra) {
  return configureStore({
    reducer,
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: extra } })
        .prepend(listeners.middleware)
        .concat(apiSlice.middleware),
  });
}

export type AppStore = ReturnType<typeof makeStore>;
export type RootState = ReturnType<typeof reducer>;
