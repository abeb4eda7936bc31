import { setupListeners } from '@reduxjs/toolkit/query';
import { apiSlice } from '../../../src/api/apiSlice';
import { giveUpResends, lastResend } from '../../../src/api/resends';
import { createStore } from '../../../src/app/store';

const { listTools, addReview, placeOrder } = apiSlice.endpoints;
const originalFetch = globalThis.fetch;
const store = createStore({ renew: () => Promise.resolve(false) });
setupListeners(store.dispatch);
const readCachedTools = () => listTools.select()(store.getState()).data;

/**
 * Makes every later request end with `outcome`.
 * @returns when each request was sent, in milliseconds since this call
 */
function mockRequests(outcome: () => Promise<Response>) {
  jest.useFakeTimers();
  const start = Date.now();
  const sentAt: number[] = [];
  globalThis.fetch = () => {
    sentAt.push(Date.now() - start);
    return outcome();
  };
  return sentAt;
}
const unreachable = () => Promise.reject(new TypeError('no network'));

afterEach(() => {
  jest.useRealTimers();
  globalThis.fetch = originalFetch;
});

// Clause A.9.12
test.each(['focus', 'online'])('data that is on the page is refetched on the event %s', async (event) => {
  const subscription = store.dispatch(listTools.initiate(undefined, { forceRefetch: true }));
  await subscription;
  const requests: string[] = [];
  globalThis.fetch = (input, init) => {
    requests.push(new URL(input instanceof Request ? input.url : String(input)).pathname);
    return originalFetch(input, init);
  };
  window.dispatchEvent(new Event(event));
  await Promise.all(store.dispatch(apiSlice.util.getRunningQueriesThunk()));
  expect(requests).toEqual(['/tool']);
  subscription.unsubscribe();
});

// Clause A.9.10
test('cached data that no page uses is kept for five minutes', async () => {
  const subscription = store.dispatch(listTools.initiate());
  await subscription;
  jest.useFakeTimers();
  subscription.unsubscribe();
  await jest.advanceTimersByTimeAsync(299_000);
  expect(readCachedTools()).toBeDefined();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(readCachedTools()).toBeUndefined();
});

// Clause A.9.11
test.each<[string, () => Promise<Response>]>([
  ['without a response', unreachable],
  ['with status 500', () => Promise.resolve(new Response('{}', { status: 500 }))],
  ['with status 429', () => Promise.resolve(new Response('{}', { status: 429 }))],
])('a read that fails %s is retried three times, after 1, 2 and 4 seconds', async (_failure, respond) => {
  const sentAt = mockRequests(respond);
  const subscription = store.dispatch(listTools.initiate(undefined, { forceRefetch: true }));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sentAt).toEqual([0, 1000, 3000, 7000]);
  expect((await subscription).isError).toBe(true);
  subscription.unsubscribe();
});

// Clause A.9.11
test('a read that is answered with 404 is not retried, and neither is a write', async () => {
  const refused = () => Promise.resolve(new Response('{}', { status: 404 }));
  const reads = mockRequests(refused);
  const subscription = store.dispatch(listTools.initiate(undefined, { forceRefetch: true }));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(reads).toEqual([0]);
  subscription.unsubscribe();
  const writes = mockRequests(unreachable);
  void store.dispatch(addReview.initiate({ description: 'a', ratings: 5, img: '/a.svg' }));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(writes).toEqual([0]);
});

const placeAnOrder = () => {
  const draft = { productName: 'Hammer', address: '1 Main', phone: '555 0100', totalQuantity: 1, toolId: 'tool-1' };
  return store.dispatch(placeOrder.initiate({ draft, key: 'k' }));
};
const respond = (status: number, body: string) => () => Promise.resolve(new Response(body, { status }));

describe('A call with an idempotency key', () => {
  test.each<[string, () => Promise<Response>]>([
    ['the network fails', unreachable],
    ...[502, 503, 504].map((status) => [`a proxy answers ${status}`, respond(status, '<html>')] as const),
    ['a proxy answers 502 in JSON', respond(502, '{"message":"Bad gateway"}')],
    ['the page of a hotel answers', respond(200, '<html>Accept our terms')],
  ] as [string, () => Promise<Response>][])(
    'is sent again after 1, 2, 4 … 30 seconds if %s, for ten minutes',
    async (_why, outcome) => {
      const sentAt = mockRequests(outcome);
      const call = placeAnOrder();
      await jest.advanceTimersByTimeAsync(9_000);
      expect([lastResend(), sentAt]).toEqual(['your order', [0, 1000, 3000, 7000]]);
      await jest.advanceTimersByTimeAsync(600_000);
      expect((await call).error).toBeDefined();
      expect([lastResend(), sentAt.length, sentAt.at(-1)! < 600_000]).toEqual([undefined, 24, true]);
    },
  );

  test('is sent again as soon as the browser is online', async () => {
    const sentAt = mockRequests(unreachable);
    void placeAnOrder();
    await jest.advanceTimersByTimeAsync(16_000);
    window.dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sentAt).toEqual([0, 1000, 3000, 7000, 15_000, 16_000]);
    giveUpResends();
  });

  test.each([
    ['a refusal of the shop', respond(422, '{"code":"validation","status":422,"detail":"No."}')],
    ['a refusal of a proxy', respond(403, '<html>')],
    ['a 503 of the shop', respond(503, '{"code":"overloaded","status":503,"detail":"Later."}')],
    ['an error of the shop', respond(500, '{}')],
  ])('is not sent again after %s', async (_answer, outcome) => {
    const sentAt = mockRequests(outcome);
    void placeAnOrder();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(sentAt).toEqual([0]);
  });

  test('is sent again after a 503 of the shop if an earlier answer was lost, because the call may be carried out', async () => {
    const busy = respond(503, '{"code":"overloaded","status":503,"detail":"Later."}');
    const outcomes = [unreachable, busy, respond(200, '{"_id":"order-1"}')];
    const sentAt = mockRequests(() => outcomes.shift()!());
    const call = placeAnOrder();
    await jest.advanceTimersByTimeAsync(4_000);
    expect([(await call).data, sentAt]).toEqual([{ _id: 'order-1' }, [0, 1000, 3000]]);
  });

  test.each<[string, () => void]>([
    ['the customer gives up', giveUpResends],
    ['the session ends', () => store.dispatch(apiSlice.util.resetApiState())],
  ])('is not sent again once %s', async (_why, end) => {
    const sentAt = mockRequests(unreachable);
    const call = placeAnOrder();
    await jest.advanceTimersByTimeAsync(2_000);
    end();
    expect((await call).error).toBeDefined();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([sentAt, lastResend()]).toEqual([[0, 1000], undefined]);
  });
});
