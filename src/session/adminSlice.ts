import { createSlice, isAnyOf } from '@reduxjs/toolkit';
import { apiSlice } from '../api/apiSlice';
import { signedIn, signedOut } from './authSlice';

/** Whether the signed-in user is an admin, according to the server's last response. `unknown` until the first one. */
export type AdminState = 'unknown' | 'admin' | 'member';

const { checkAdmin, makeAdmin, undoMakeAdmin } = apiSlice.endpoints;

const initialState = {
  role: 'unknown' as AdminState,
  /** The emails of the users whom this admin promoted in this visit. Each promotion can be undone. */
  promoted: [] as string[],
};

export const adminSlice = createSlice({
  name: 'admin',
  initialState,
  reducers: {},
  extraReducers: (builder) => {
    builder.addMatcher(checkAdmin.matchFulfilled, (state, { payload }) => {
      state.role = payload.admin ? 'admin' : 'member';
    });
    builder.addMatcher(makeAdmin.matchFulfilled, (state, { payload }) => {
      state.promoted.push(payload.email);
    });
    builder.addMatcher(undoMakeAdmin.matchFulfilled, (state, { meta }) => {
      state.promoted = state.promoted.filter((email) => email !== meta.arg.originalArgs);
    });
    builder.addMatcher(isAnyOf(signedIn, signedOut), () => initialState);
  },
  selectors: { selectAdmin: ({ role }) => role, selectPromoted: ({ promoted }) => promoted },
});

export const { selectAdmin, selectPromoted } = adminSlice.selectors;
