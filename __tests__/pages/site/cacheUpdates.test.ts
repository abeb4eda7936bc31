import { apiSlice } from '../../../src/api/apiSlice';
import { clientSecrets } from '../../../src/api/tokens';
import type { AppStore } from '../../../src/app/store';
import { MAX_REFETCHED_PAGES } from '../../../src/contract/limits';
import { holdRequests, replaceFetch } from '../../support/pageCalls';
import {
  EMAIL,
  loadOrderPages,
  loadOwnOrders,
  answerCalls,
  newStore,
  ORDER,
  PAGES,
  READS,
  settle,
  WRITES,
  type Write,
} from './answeredCalls';

const { endpoints } = apiSlice;

describe('An answer that was on its way during a change is loaded again', () => {
  test.each<[Write, read: keyof typeof READS]>([
    ['deleting an order', 'own orders'],
    ['editing a tool', 'all tools'],
    ['shipping an order', 'order pages'],
    ['placing an order', 'the tool'],
    ['saving a profile', 'profile'],
  ])('after %s: %s', async (write, name) => {
    const store = newStore();
    const requests = answerCalls(200);
    const [request, read] = READS[name]!;
    await read(store);
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    replaceFetch((fetchMock) => async (input) => {
      const response = fetchMock(input);
      if ((input as Request).method === 'GET') await gate;
      return response;
    });
    void store.dispatch(apiSlice.util.invalidateTags(['Order', 'Tool', 'Profile']));
    await WRITES[write](store);
    release();
    await settle(store);
    await settle(store);
    expect(requests.filter((sent) => sent === request)).toHaveLength(3);
  });
});

test('after a deletion, Back does not show the deleted order', async () => {
  const store = newStore();
  answerCalls(200);
  const subscription = store.dispatch(endpoints.getOrder.initiate(ORDER));
  await subscription;
  subscription.unsubscribe();
  await WRITES['deleting an order'](store);
  expect(endpoints.getOrder.select(ORDER)(store.getState()).data).toBeUndefined();
});

test('the answer to a payment is shown before the order is loaded again', async () => {
  const store = newStore();
  answerCalls(200);
  await store.dispatch(endpoints.getOrder.initiate(ORDER));
  const release = holdRequests('GET');
  await WRITES['recording a payment'](store);
  expect(endpoints.getOrder.select(ORDER)(store.getState()).data).toMatchObject({ _id: ORDER });
  release();
  await settle(store);
});

test('the number of orders is the total that the server reports in a header', async () => {
  answerCalls(200);
  expect((await newStore().dispatch(endpoints.countOrders.initiate())).data).toBe(1234);
});

test.each<[number, string[], string[]]>([
  [200, [ORDER, 'order-2'], ['order-2']],
  [500, [ORDER, 'order-2'], [ORDER, 'order-2']],
])('deleting an order that is answered with %i leads from the own orders %j to %j', async (status, before, after) => {
  const store = newStore();
  answerCalls(status);
  await loadOwnOrders(store);
  const listIds = () =>
    endpoints.listMyOrders
      .select(EMAIL)(store.getState())
      .data!.map(({ _id }) => _id);
  expect(listIds()).toEqual(before);
  const deletion = WRITES['deleting an order'](store);
  expect(listIds()).toEqual(['order-2']);
  await deletion;
  await settle(store);
  expect(listIds()).toEqual(after);
});

test('the client secret of a payment is kept outside of the store', async () => {
  answerCalls(200);
  clientSecrets.clear();
  const { data } = (await WRITES['starting a payment'](newStore())) as { data: object };
  expect([data, clientSecrets.get(ORDER)]).toEqual([{ order: ORDER }, 'pi_1_secret_2']);
});

describe('A list of order pages', () => {
  async function loadPages(store: AppStore, count: number) {
    await loadOrderPages(store);
    for (let n = 1; n < count; n++)
      await store.dispatch(endpoints.listOrderPages.initiate(PAGES, { direction: 'forward' }));
  }
  const readsOfPages = (requests: string[]) => requests.filter((request) => request.startsWith('GET /order?status'));

  test('that could not be loaded is loaded again after a change', async () => {
    const store = newStore();
    replaceFetch(() => () => Promise.resolve(new Response('{}', { status: 403 })));
    await loadOrderPages(store);
    const requests = answerCalls(200);
    await WRITES['shipping an order'](store);
    await settle(store);
    expect(readsOfPages(requests)).toEqual(['GET /order?status=paid&limit=50']);
  });

  test('continues after the cursor in the Link header, and ends without one', async () => {
    const store = newStore();
    const requests = answerCalls(200, '</order?limit=50&after=120>; rel="next"');
    await loadPages(store, 2);
    expect(requests).toEqual(['GET /order?status=paid&limit=50', 'GET /order?status=paid&limit=50&after=120']);
    const requestsAtEnd = answerCalls(200);
    await loadPages(newStore(), 2);
    expect(requestsAtEnd).toEqual(['GET /order?status=paid&limit=50']);
  });

  test.each([
    [MAX_REFETCHED_PAGES, MAX_REFETCHED_PAGES],
    [MAX_REFETCHED_PAGES + 1, 0],
  ])('with %i pages reloads %i of them after a change', async (pages, reloaded) => {
    const store = newStore();
    const requests = answerCalls(200, '</order?limit=50&after=120>; rel="next"');
    await loadPages(store, pages);
    expect(readsOfPages(requests.splice(0))).toHaveLength(pages);
    await WRITES['shipping an order'](store);
    await settle(store);
    expect(readsOfPages(requests)).toHaveLength(reloaded);
  });
});
