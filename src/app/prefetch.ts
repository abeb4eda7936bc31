import { matchPath, type Params } from 'react-router-dom';
import { apiSlice } from '../api/apiSlice';
import { prefetchPage } from './routes';
import type { AppStore } from './store';

const { prefetch, upsertQueryEntries } = apiSlice.util;
const { listTools, listMyOrders } = apiSlice.endpoints;

type PrefetchData = (store: AppStore, params: Params) => void;

/** Copies the tool from the list, so that its purchase page shows it at once. The page then loads the tool itself. */
function copyToolFromList(store: AppStore, id = '') {
  const value = listTools
    .select()(store.getState())
    .data?.find(({ _id }) => _id === id);
  const known = apiSlice.endpoints.getTool.select(id)(store.getState()).data;
  if (value && !known) store.dispatch(upsertQueryEntries([{ endpointName: 'getTool', arg: id, value }]));
}

function prefetchHome(store: AppStore) {
  store.dispatch(prefetch('listTools', undefined, {}));
  store.dispatch(prefetch('listReviews', undefined, {}));
}

function prefetchMyOrders(store: AppStore) {
  const { auth } = store.getState();
  if (auth.status === 'signedIn') store.dispatch(prefetch('listMyOrders', auth.email, {}));
}

/** The form of the purchase page begins with the address from the profile or from the last order. */
function prefetchPurchase(store: AppStore, id: string | undefined) {
  copyToolFromList(store, id);
  prefetchMyOrders(store);
  const { auth } = store.getState();
  if (auth.status === 'signedIn') store.dispatch(prefetch('getProfile', auth.email, {}));
}

/** Copies an order from My Orders, so that its payment starts at once. The page then loads the order itself. */
function copyOrderToPay(store: AppStore, id = '') {
  const state = store.getState();
  if (state.auth.status !== 'signedIn') return;
  const value = listMyOrders
    .select(state.auth.email)(state)
    .data?.find(({ _id }) => _id === id);
  const known = apiSlice.endpoints.getOrder.select(id)(state).data;
  if (value?.status === 'unpaid' && !known)
    store.dispatch(upsertQueryEntries([{ endpointName: 'getOrder', arg: id, value }]));
}

const PREFETCH_BY_PATH: Record<string, PrefetchData> = {
  '/': prefetchHome,
  '/home': prefetchHome,
  '/purchase/:id': (store, { id }) => prefetchPurchase(store, id),
  '/dashboard/myorder': prefetchMyOrders,
  '/dashboard/payment/:id': (store, { id }) => copyOrderToPay(store, id),
};

const isSamePage = ({ pathname, search }: HTMLAnchorElement) =>
  pathname === location.pathname && search === location.search;

/** Fetches the chunks of the pages that follow a form. Its `data-next` has their paths. */
function prefetchNextPages(target: Element) {
  const next = target.closest<HTMLElement>('[data-next]')?.dataset['next'];
  for (const pathname of next?.split(' ') ?? []) prefetchPage({ pathname, search: '' });
}

function prefetchTarget(store: AppStore, target: EventTarget | null) {
  if (!(target instanceof Element)) return;
  prefetchNextPages(target);
  const link = target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.origin !== location.origin || isSamePage(link)) return;
  prefetchPage(link);
  for (const [path, prefetchData] of Object.entries(PREFETCH_BY_PATH)) {
    const match = matchPath(path, link.pathname);
    if (match) prefetchData(store, match.params);
  }
}

/** Prefetches the target of a link or a form on hover, focus or touch, because a click is likely to follow. */
export function prefetchTargets(store: AppStore): void {
  for (const eventType of ['pointerover', 'focusin', 'touchstart'])
    document.addEventListener(eventType, ({ target }) => prefetchTarget(store, target), { passive: true });
}
