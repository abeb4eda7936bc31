import { setupListeners } from '@reduxjs/toolkit/query';
import { apiSlice } from '../../../src/api/apiSlice';
import { backoffMs } from '../../../src/api/baseQuery';
import { makeStore } from '../../../src/app/store';

const { listTools, addReview } = apiSlice.endpoints;
const network = globalThis.fetch;
const store = makeStore({ renew: () => Promise.resolve(false) });
setupListeners(store.dispatch);
const cached = () => listTools.select()(store.getState()).data;

/** From here on every request ends as `outcome` says; the moments at which they were sent. */
function noNetwork(outcome: () => Promise<Response>) {
  jest.useFakeTimers();
  const began = Date.now();
  const moments: number[] = [];
  globalThis.fetch = () => {
    moments.push(Date.now() - began);
    return outcome();
  };
  return moments;
}
const unreachable = () => Promise.reject(new TypeError('no network'));

afterEach(() => {
  jest.useRealTimers();
  globalThis.fetch = network;
});

// Clause A.9.12
test.each(['focus', 'online'])('what is shown is asked for again on %s', async (event) => {
  const asked = store.dispatch(listTools.initiate(undefined, { forceRefetch: true }));
  await asked;
  const requests: string[] = [];
  globalThis.fetch = (input, init) => {
    requests.push(new URL(input instanceof Request ? input.url : String(input)).pathname);
    return network(input, init);
  };
  window.dispatchEvent(new Event(event));
  await Promise.all(store.dispatch(apiSlice.util.getRunningQueriesThunk()));
  expect(requests).toEqual(['/tool']);
  asked.unsubscribe();
});

// Clause A.9.10
test('data that nobody shows is kept for five minutes, and no longer', async () => {
  const asked = store.dispatch(listTools.initiate());
  await asked;
  jest.useFakeTimers();
  asked.unsubscribe();
  await jest.advanceTimersByTimeAsync(299_000);
  expect(cached()).toBeDefined();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(cached()).toBeUndefined();
});

// Clause A.9.11
test('a read that fails is tried three times more: after 1, 2 and 4 seconds', async () => {
  const moments = noNetwork(unreachable);
  const asked = store.dispatch(listTools.initiate(undefined, { forceRefetch: true }));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(moments).toEqual([0, 1000, 3000, 7000]);
  expect((await asked).isError).toBe(true);
  asked.unsubscribe();
});

// Clause A.9.11
test('the delay doubles from 1 second and is never above 30', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map(backoffMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

// Clause A.9.11
test('a read that is refused, and any write, is sent once', async () => {
  const refused = () => Promise.resolve(new Response('{}', { status: 404 }));
  const reads = noNetwork(refused);
  const asked = store.dispatch(listTools.initiate(undefined, { forceRefetch: true }));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(reads).toEqual([0]);
  asked.unsubscribe();
  const writes = noNetwork(unreachable);
  void store.dispatch(addReview.initiate({ description: 'a', ratings: 5, img: '/a.svg' }));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(writes).toEqual([0]);
});
