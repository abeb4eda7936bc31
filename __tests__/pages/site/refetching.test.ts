import { apiSlice } from '../../../src/api/apiSlice';
import { clientSecrets } from '../../../src/api/tokens';
import { createStore, type AppStore } from '../../../src/app/store';
import type { Order } from '../../../src/contract/entities';
import { MAX_REFETCHED_PAGES } from '../../../src/contract/limits';
import { replaceFetch } from '../../support/pageCalls';

const { endpoints } = apiSlice;
const EMAIL = 'ann@mail.example';
const TOOL = 'tool-1';
const ORDER = 'order-1';
const PAGES = { status: 'paid' } as const;

type Dispatch = (store: AppStore) => unknown;
const { removeReview, placeOrder, deleteOrder, shipOrder, correctShipment, offerPrice, refundOrder } = endpoints;
const { addTool, editTool, addReview, payOrder, createPaymentIntent, makeAdmin, saveProfile } = endpoints;

/** All data that pages show, each with the request that loads it. */
const READS: Record<string, [request: string, read: Dispatch]> = {
  'tools for sale': ['GET /tool', ({ dispatch }) => dispatch(endpoints.listTools.initiate())],
  'all tools': ['GET /tool/all', ({ dispatch }) => dispatch(endpoints.listAllTools.initiate())],
  'the tool': [`GET /tool/${TOOL}`, ({ dispatch }) => dispatch(endpoints.getTool.initiate(TOOL))],
  'another tool': ['GET /tool/tool-2', ({ dispatch }) => dispatch(endpoints.getTool.initiate('tool-2'))],
  reviews: ['GET /review', ({ dispatch }) => dispatch(endpoints.listReviews.initiate())],
  'own orders': ['GET /order?email=ann%40mail.example', (store) => loadOwnOrders(store)],
  'all orders': ['GET /order', ({ dispatch }) => dispatch(endpoints.listOrders.initiate())],
  'order count': ['GET /order, minimal', ({ dispatch }) => dispatch(endpoints.countOrders.initiate())],
  'order pages': ['GET /order?status=paid&limit=50', (store) => loadOrderPages(store)],
  'status counts': ['GET /order/counts', ({ dispatch }) => dispatch(endpoints.countOrdersByStatus.initiate())],
  'the order': [`GET /order/${ORDER}`, ({ dispatch }) => dispatch(endpoints.getOrder.initiate(ORDER))],
  'another order': ['GET /order/order-2', ({ dispatch }) => dispatch(endpoints.getOrder.initiate('order-2'))],
  users: ['GET /user', ({ dispatch }) => dispatch(endpoints.listUsers.initiate())],
  'admin check': ['GET /admin/ann%40mail.example', ({ dispatch }) => dispatch(endpoints.checkAdmin.initiate(EMAIL))],
  profile: ['GET /profile/ann%40mail.example', ({ dispatch }) => dispatch(endpoints.getProfile.initiate(EMAIL))],
};
const loadOwnOrders: Dispatch = ({ dispatch }) => dispatch(endpoints.listMyOrders.initiate(EMAIL));
const loadOrderPages: Dispatch = ({ dispatch }) => dispatch(endpoints.listOrderPages.initiate(PAGES));

const describeRequest = ({ method, url, headers }: Request) =>
  `${method} ${url.slice(new URL(url).origin.length)}${headers.get('prefer') === 'return=minimal' ? ', minimal' : ''}`;

const LISTS = /^GET \/(tool|tool\/all|review|user|order(\?.*|, minimal)?)$/;
const order = (_id: string) => ({ _id, email: EMAIL }) as Order;

/**
 * Answers each read with data and each write with `status`.
 * @returns the requests that follow
 */
function mockShop(status: number, code?: string, link = ''): string[] {
  const requests: string[] = [];
  replaceFetch(() => (input) => {
    const request = describeRequest(input as Request);
    requests.push(request);
    const headers = { 'content-type': 'application/json', 'x-total-count': '1234', link };
    const isRead = request.startsWith('GET');
    const rows = request.startsWith('GET /order') ? [order(ORDER), order('order-2')] : [];
    const written = status < 300 ? { order: ORDER, clientSecret: 'pi_1_secret_2' } : { code, detail: 'No.', status };
    const body = LISTS.test(request) ? rows : isRead ? {} : written;
    return Promise.resolve(new Response(JSON.stringify(body), { status: isRead ? 200 : status, headers }));
  });
  return requests;
}

const settle = async ({ dispatch }: AppStore) => {
  await Promise.all(dispatch(apiSlice.util.getRunningQueriesThunk()));
};

const newStore = () => createStore({ renew: () => Promise.resolve(false) });

const draft = { productName: 'Hammer', address: '1 Main', phone: '555', totalQuantity: 1, toolId: TOOL };
const tool = { name: 'a', price: 1, minimumOrderQuantity: 1, availableQuantity: 1, description: 'a', img: '/a.svg' };
const shipment = { carrier: 'UPS', tracking: '1' };
const profile = { email: EMAIL, address: '1 Main', phone: '555', linkedIn: 'https://a.example' };

const ORDER_LISTS = ['all orders', 'order count', 'order pages', 'status counts'];
const TOOL_LISTS = ['tools for sale', 'all tools'];
const ALL_OF_ORDER = ['own orders', ...ORDER_LISTS, 'the order'];
const ALL_OF_TOOL = [...TOOL_LISTS, 'the tool'];

const WRITES: Record<string, Dispatch> = {
  'adding a tool': ({ dispatch }) => dispatch(addTool.initiate(tool)),
  'editing a tool': ({ dispatch }) => dispatch(editTool.initiate({ id: TOOL, change: { price: 2 }, key: 'k' })),
  'adding a review': ({ dispatch }) => dispatch(addReview.initiate({ description: 'a', ratings: 5, img: '/a.svg' })),
  'removing a review': ({ dispatch }) => dispatch(removeReview.initiate('review-1')),
  'placing an order': ({ dispatch }) => dispatch(placeOrder.initiate({ draft, key: 'k' })),
  'deleting an order': ({ dispatch }) => dispatch(deleteOrder.initiate(order(ORDER))),
  'shipping an order': ({ dispatch }) => dispatch(shipOrder.initiate({ order: ORDER, shipment })),
  'correcting a shipment': ({ dispatch }) => dispatch(correctShipment.initiate({ order: ORDER, shipment })),
  'offering a price': ({ dispatch }) => dispatch(offerPrice.initiate({ order: ORDER, price: 1 })),
  'refunding an order': ({ dispatch }) =>
    dispatch(refundOrder.initiate({ order: ORDER, reason: 'broken', restock: true })),
  'recording a payment': ({ dispatch }) => dispatch(payOrder.initiate({ order: ORDER, transactionId: 'pi_1' })),
  'starting a payment': ({ dispatch }) => dispatch(createPaymentIntent.initiate({ order: ORDER, totalPrice: 1 })),
  'starting a payment at a new price': ({ dispatch }) =>
    dispatch(createPaymentIntent.initiate({ order: ORDER, totalPrice: 1, acceptsNewPrice: true })),
  'making an admin': ({ dispatch }) => dispatch(makeAdmin.initiate('bob@mail.example')),
  'saving a profile': ({ dispatch }) => dispatch(saveProfile.initiate(profile)),
};

test.each<[write: keyof typeof WRITES, status: number, code: string | undefined, reloaded: string[]]>([
  ['adding a tool', 201, undefined, TOOL_LISTS],
  ['adding a tool', 400, 'invalid', []],
  ['editing a tool', 200, undefined, ALL_OF_TOOL],
  ['editing a tool', 409, 'changed', ALL_OF_TOOL],
  ['adding a review', 201, undefined, ['reviews']],
  ['adding a review', 400, 'invalid', []],
  ['removing a review', 200, undefined, ['reviews']],
  ['removing a review', 404, 'not_found', ['reviews']],
  ['placing an order', 201, undefined, ['own orders', ...ORDER_LISTS, ...ALL_OF_TOOL]],
  ['placing an order', 409, 'price_changed', ALL_OF_TOOL],
  ['placing an order', 409, 'tool_not_on_sale', []],
  ['deleting an order', 200, undefined, [...ORDER_LISTS, ...TOOL_LISTS]],
  ['deleting an order', 409, 'paid', [...ALL_OF_ORDER, ...TOOL_LISTS]],
  ['shipping an order', 200, undefined, ALL_OF_ORDER],
  ['shipping an order', 409, 'shipped', ALL_OF_ORDER],
  ['correcting a shipment', 200, undefined, ALL_OF_ORDER],
  ['offering a price', 200, undefined, [...ALL_OF_ORDER, ...TOOL_LISTS]],
  ['refunding an order', 200, undefined, [...ALL_OF_ORDER, ...TOOL_LISTS]],
  ['recording a payment', 200, undefined, ALL_OF_ORDER],
  ['recording a payment', 409, 'payment_returned', []],
  ['starting a payment', 200, undefined, []],
  ['starting a payment', 409, 'out_of_stock', ALL_OF_ORDER],
  ['starting a payment', 500, 'internal', []],
  ['starting a payment at a new price', 200, undefined, ALL_OF_ORDER],
  ['starting a payment at a new price', 500, 'internal', []],
  ['making an admin', 200, undefined, ['users']],
  ['making an admin', 404, 'not_found', []],
  ['saving a profile', 200, undefined, ['profile']],
  ['saving a profile', 400, 'invalid', []],
])('%s that is answered with %i %s reloads exactly the data that it may have changed', async (...row) => {
  const [write, status, code, reloaded] = row;
  const store = newStore();
  const requests = mockShop(status, code);
  for (const [, read] of Object.values(READS)) void read(store);
  await settle(store);
  const requestsOfReads = Object.values(READS).map(([request]) => request);
  expect(requests.splice(0).sort()).toEqual(requestsOfReads.sort());

  await WRITES[write]!(store);
  await settle(store);
  expect(requests.slice(1).sort()).toEqual(reloaded.map((name) => READS[name]![0]).sort());
});

test('the number of orders is the total that the server reports in a header', async () => {
  mockShop(200);
  expect((await newStore().dispatch(endpoints.countOrders.initiate())).data).toBe(1234);
});

test.each<[number, string[], string[]]>([
  [200, [ORDER, 'order-2'], ['order-2']],
  [500, [ORDER, 'order-2'], [ORDER, 'order-2']],
])('deleting an order that is answered with %i leads from the own orders %j to %j', async (status, before, after) => {
  const store = newStore();
  mockShop(status);
  await loadOwnOrders(store);
  const listIds = () =>
    endpoints.listMyOrders
      .select(EMAIL)(store.getState())
      .data!.map(({ _id }) => _id);
  expect(listIds()).toEqual(before);
  const deletion = WRITES['deleting an order']!(store);
  expect(listIds()).toEqual(['order-2']);
  await deletion;
  await settle(store);
  expect(listIds()).toEqual(after);
});

test('the client secret of a payment is kept outside of the store', async () => {
  mockShop(200);
  clientSecrets.clear();
  const { data } = (await WRITES['starting a payment']!(newStore())) as { data: object };
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
    const requests = mockShop(200);
    await WRITES['shipping an order']!(store);
    await settle(store);
    expect(readsOfPages(requests)).toEqual(['GET /order?status=paid&limit=50']);
  });

  test('continues after the cursor in the Link header, and ends without one', async () => {
    const store = newStore();
    const requests = mockShop(200, undefined, '</order?limit=50&after=120>; rel="next"');
    await loadPages(store, 2);
    expect(requests).toEqual(['GET /order?status=paid&limit=50', 'GET /order?status=paid&limit=50&after=120']);
    const requestsAtEnd = mockShop(200);
    await loadPages(newStore(), 2);
    expect(requestsAtEnd).toEqual(['GET /order?status=paid&limit=50']);
  });

  test.each([
    [MAX_REFETCHED_PAGES, MAX_REFETCHED_PAGES],
    [MAX_REFETCHED_PAGES + 1, 0],
  ])('with %i pages reloads %i of them after a change', async (pages, reloaded) => {
    const store = newStore();
    const requests = mockShop(200, undefined, '</order?limit=50&after=120>; rel="next"');
    await loadPages(store, pages);
    expect(readsOfPages(requests.splice(0))).toHaveLength(pages);
    await WRITES['shipping an order']!(store);
    await settle(store);
    expect(readsOfPages(requests)).toHaveLength(reloaded);
  });
});
