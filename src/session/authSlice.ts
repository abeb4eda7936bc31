import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Person } from './identity';

/** A state machine: `resolving` at the start, and then `signedOut` or `signedIn`. */
export type AuthState =
  | { status: 'resolving' }
  /**
   * `signedOutAtKey` is the key of the history entry at which the user signed out. The next login does not return to
   * that page, because it may be another user's.
   */
  | { status: 'signedOut'; signedOutAtKey?: string }
  | ({ status: 'signedIn' } & Person);

export const authSlice = createSlice({
  name: 'auth',
  initialState: { status: 'resolving' } as AuthState,
  reducers: {
    signedIn: (_state, { payload }: PayloadAction<Person>): AuthState => ({ status: 'signedIn', ...payload }),
    emailVerified: (state) => (state.status === 'signedIn' ? { ...state, emailVerified: true } : state),
    signedOut: (_state, { payload }: PayloadAction<string | undefined>): AuthState => ({
      status: 'signedOut',
      signedOutAtKey: payload,
    }),
  },
  selectors: { selectAuth: (state) => state },
});

export const { emailVerified, signedIn, signedOut } = authSlice.actions;
export const { selectAuth } = authSlice.selectors;
