import { apiSlice } from '../api/apiSlice';
import type { Review, Tool } from '../contract/entities';
import type { AppStore } from './store';

export interface InitialData {
  tools?: Tool[];
  reviews?: Review[];
  /** The open tool. Then `reviews` are about this tool. */
  tool?: Tool;
}

const { listTools, listReviews } = apiSlice.endpoints;

export function readInitialData(page: Document): InitialData {
  const text = page.getElementById('app-data')?.textContent;
  return text ? (JSON.parse(text) as InitialData) : {};
}

/** Fills the cache with the data from which the server's HTML was rendered. */
export function fillCache(store: AppStore, { tools, reviews, tool }: InitialData): void {
  const upsert = apiSlice.util.upsertQueryEntries;
  if (tools) store.dispatch(upsert([{ endpointName: 'listTools', arg: undefined, value: tools }]));
  if (reviews) store.dispatch(upsert([{ endpointName: 'listReviews', arg: tool?._id, value: reviews }]));
  if (tool) store.dispatch(upsert([{ endpointName: 'getTool', arg: tool._id, value: tool }]));
}

/**
 * Loads the data again, because the server's HTML may be out of date and contains only the beginning of a long list.
 */
export function refreshCache(store: AppStore, { tools, reviews, tool }: InitialData): void {
  const options = { forceRefetch: true, subscribe: false };
  if (tools) void store.dispatch(listTools.initiate(undefined, options));
  if (reviews) void store.dispatch(listReviews.initiate(tool?._id, options));
}
