import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Person } from './identity';

/** A state machine fed by events: resolving -> signedOut | signedIn. */
export type AuthState =
  | { status: 'resolving' }
  /** `signedOutAtKey` is the history entry where the user signed out. The next login does not return to that page. */
  | { status: 'signedOut'; signedOutAtKey?: string }
  | ({ status: 'signedIn' } & Person);

export const authSlice = createSlice({
  name: 'auth',
  initialState: { status: 'resolving' } as AuthState,
  reducers: {
    signedIn: (_state, { payload }: PayloadAction<Person>): AuthState => ({ status: 'signedIn', ...payload }),
    signedOut: (_state, { payload }: PayloadAction<string | undefined>): AuthState => ({
      status: 'signedOut',
      signedOutAtKey: payload,
    }),
  },
  selectors: { selectAuth: (state) => state },
});

export const { signedIn, signedOut } = authSlice.actions;
export const { selectAuth } = authSlice.selectors;
