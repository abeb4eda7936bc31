import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import type { apiSlice } from './apiSlice';

type ApiState = { api: ReturnType<typeof apiSlice.reducer> };

/** For a change of the cache that only one page makes. What every page needs is in `apiSlice`. */
export const useApiDispatch = () => useDispatch<ThunkDispatch<ApiState, unknown, UnknownAction>>();
