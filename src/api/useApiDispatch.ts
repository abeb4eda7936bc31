import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import type { apiSlice } from './apiSlice';

type ApiState = { api: ReturnType<typeof apiSlice.reducer> };

/** For changes to the cache that only one page makes. Changes for several pages are in `apiSlice`. */
export const useApiDispatch = () => useDispatch<ThunkDispatch<ApiState, unknown, UnknownAction>>();
