import { createSlice, isAnyOf } from '@reduxjs/toolkit';
import { apiSlice } from '../api/apiSlice';
import { signedIn, signedOut } from './authSlice';

/** Whether the signed-in user is an admin, according to the server's last response. `unknown` until the first one. */
export type AdminState = 'unknown' | 'admin' | 'member';

const { checkAdmin } = apiSlice.endpoints;

export const adminSlice = createSlice({
  name: 'admin',
  initialState: 'unknown' as AdminState,
  reducers: {},
  extraReducers: (builder) => {
    builder.addMatcher(checkAdmin.matchFulfilled, (_state, { payload }) => (payload.admin ? 'admin' : 'member'));
    builder.addMatcher(isAnyOf(signedIn, signedOut), () => 'unknown' as AdminState);
  },
  selectors: { selectAdmin: (state) => state },
});

export const { selectAdmin } = adminSlice.selectors;
