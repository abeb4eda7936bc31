import { matchPath, type Params } from 'react-router-dom';
import { apiSlice } from '../api/apiSlice';
import { dashboard, dashboardPages, pages } from './routes';
import type { AppStore } from './store';

const DASHBOARD = '/dashboard';
const { prefetch, upsertQueryEntries } = apiSlice.util;
const { listTools } = apiSlice.endpoints;

type Fetch = (store: AppStore, params: Params) => void;

/** The list of tools has what the purchase page begins with, which then asks anew. */
function toolFromList(store: AppStore, id = '') {
  const value = listTools
    .select()(store.getState())
    .data?.find(({ _id }) => _id === id);
  const known = apiSlice.endpoints.getTool.select(id)(store.getState()).data;
  if (value && !known) store.dispatch(upsertQueryEntries([{ endpointName: 'getTool', arg: id, value }]));
}

function tools(store: AppStore) {
  store.dispatch(prefetch('listTools', undefined, {}));
  store.dispatch(prefetch('listReviews', undefined, {}));
}

function myOrders(store: AppStore) {
  const { auth } = store.getState();
  if (auth.status === 'signedIn') store.dispatch(prefetch('listMyOrders', auth.email, {}));
}

const DATA: Record<string, Fetch> = {
  '/': tools,
  '/purchase/:id': (store, { id }) => toolFromList(store, id),
  [`${DASHBOARD}/myorder`]: myOrders,
};

const rows = [...pages, ...dashboardPages.map((row) => ({ ...row, path: `${DASHBOARD}/${row.path}` }))];

function fetchAhead(store: AppStore, target: EventTarget | null) {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.origin !== location.origin || link.pathname === location.pathname) return;
  if (link.pathname.startsWith(DASHBOARD)) dashboard.prefetch();
  for (const { path, prefetch: part } of rows) {
    const found = matchPath(path, link.pathname);
    if (!found) continue;
    part();
    DATA[path]?.(store, found.params);
  }
}

/** Whoever points at a link, reaches it by key or touches it, will likely follow it. */
export function prefetchOnIntent(store: AppStore): void {
  for (const sign of ['pointerover', 'focusin', 'touchstart'])
    document.addEventListener(sign, ({ target }) => fetchAhead(store, target), { passive: true });
}
