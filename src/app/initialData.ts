import { apiSlice } from '../api/apiSlice';
import type { Review, Tool } from '../contract/entities';
import type { AppStore } from './store';

export interface InitialData {
  tools?: Tool[];
  reviews?: Review[];
}

const { listTools, listReviews } = apiSlice.endpoints;

export function readInitialData(page: Document): InitialData {
  const text = page.getElementById('app-data')?.textContent;
  return text ? (JSON.parse(text) as InitialData) : {};
}

/** Puts what the HTML was made of into the cache. */
export function fillCache(store: AppStore, { tools, reviews }: InitialData): void {
  const upsert = apiSlice.util.upsertQueryEntries;
  if (tools) store.dispatch(upsert([{ endpointName: 'listTools', arg: undefined, value: tools }]));
  if (reviews) store.dispatch(upsert([{ endpointName: 'listReviews', arg: undefined, value: reviews }]));
}

/** The HTML may lag behind the shop, and holds the beginning of a long list: asks for what is there now. */
export function refreshCache(store: AppStore, { tools, reviews }: InitialData): void {
  const now = { forceRefetch: true, subscribe: false };
  if (tools) void store.dispatch(listTools.initiate(undefined, now));
  if (reviews) void store.dispatch(listReviews.initiate(undefined, now));
}
