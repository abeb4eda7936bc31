import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Person } from './identity';

/** A state machine fed by events: resolving -> signedOut | signedIn. */
export type AuthState =
  | { status: 'resolving' }
  /** `leftAt`: the entry of the history at which a person left, to which nobody else needs to come back. */
  | { status: 'signedOut'; leftAt?: string }
  | ({ status: 'signedIn' } & Person);

export const authSlice = createSlice({
  name: 'auth',
  initialState: { status: 'resolving' } as AuthState,
  reducers: {
    signedIn: (_state, { payload }: PayloadAction<Person>): AuthState => ({ status: 'signedIn', ...payload }),
    signedOut: (_state, { payload }: PayloadAction<string | undefined>): AuthState => ({
      status: 'signedOut',
      leftAt: payload,
    }),
  },
  selectors: { selectAuth: (state) => state },
});

export const { signedIn, signedOut } = authSlice.actions;
export const { selectAuth } = authSlice.selectors;
