import { configureStore, createAction, type Middleware, type UnknownAction } from '@reduxjs/toolkit';
import type { AppStore, RootState } from '../store';

const showState = createAction<RootState>('replay/stateShown');

/** RTK Query's hooks get this when they dispatch a request. A replay sends no requests, so there is never a result. */
const IDLE_REQUEST = {
  requestId: '',
  arg: {},
  unsubscribe: () => undefined,
  updateSubscriptionOptions: () => undefined,
  refetch: () => undefined,
  abort: () => undefined,
  reset: () => undefined,
  unwrap: () => new Promise<never>(() => undefined),
  isRequestSubscribed: () => true,
  getSubscriptionCount: () => 1,
  getSubscriptions: () => ({}),
};

/** Ignores the actions of pages, because each state comes from the file. */
const ignorePageActions: Middleware = () => (next) => (action) =>
  showState.match(action) ? next(action) : IDLE_REQUEST;

export function createReplayStore(initial: RootState) {
  const store = configureStore({
    reducer: (state: RootState | undefined, action: UnknownAction) =>
      showState.match(action) ? action.payload : (state ?? initial),
    middleware: (defaults) =>
      defaults({ thunk: false, immutableCheck: false, serializableCheck: false }).prepend(ignorePageActions),
  });
  return { store: store as unknown as AppStore, show: (state: RootState) => void store.dispatch(showState(state)) };
}
