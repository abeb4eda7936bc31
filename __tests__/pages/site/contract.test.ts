import { reduxLog } from './watchRedux';
import { apiSlice } from '../../../src/api/apiSlice';
import { clientSecrets, transientTokens } from '../../../src/api/tokens';
import { createStore } from '../../../src/app/store';
import { newAccount, newEmail } from '../../support/customers';
import { watchCalls } from '../../support/pageCalls';
import type { ApiCall } from '../../support/routes';
import { sharedTool } from '../../support/tools';

const sent = watchCalls();
const store = createStore({ renew: () => Promise.resolve(false) });
const { endpoints } = apiSlice;
const email = 'somebody@mail.example';
const id = '00000000-0000-4000-8000-000000000000';
const tool = { name: 'a', price: 1, minimumOrderQuantity: 1, availableQuantity: 1, description: 'a', img: '/a.svg' };
const shipment = { carrier: 'a', tracking: '1' };
const review = { description: 'a', ratings: 5, img: '/a.svg' };
const refund = { reason: 'a', restock: false };
const payment = { order: id, transactionId: 'pi_1' };
const ref = { _id: id, toolId: id };
const profile = { address: 'a', phone: '1', linkedIn: 'https://a.example' };
const draft = { productName: 'a', address: 'a', phone: '1', totalQuantity: 1 };

/** The calls of table A.7 and our own, each with the dispatch that makes it and the body that it sends. */
const API_CALLS: [ApiCall, () => unknown, body?: object][] = [
  ['GET /tool', () => store.dispatch(endpoints.listTools.initiate())],
  ['GET /tool/:id', () => store.dispatch(endpoints.getTool.initiate(id))],
  ['POST /tool', () => store.dispatch(endpoints.addTool.initiate(tool)), tool],
  ['GET /tool/all', () => store.dispatch(endpoints.listAllTools.initiate())],
  [
    'PATCH /tool/:id',
    () => store.dispatch(endpoints.editTool.initiate({ id, change: { price: 2 }, key: 'k' })),
    { price: 2 },
  ],
  ['GET /tool.csv', () => store.dispatch(endpoints.downloadTools.initiate())],
  ['POST /tool/import', () => store.dispatch(endpoints.previewToolImport.initiate(new ArrayBuffer(1)))],
  ['POST /tool/import', () => store.dispatch(endpoints.importTools.initiate({ file: new ArrayBuffer(1), key: 'k' }))],
  ['DELETE /review/:id', () => store.dispatch(endpoints.removeReview.initiate(id))],
  ['GET /review', () => store.dispatch(endpoints.listReviews.initiate())],
  ['POST /review', () => store.dispatch(endpoints.addReview.initiate(review)), review],
  ['POST /order', () => store.dispatch(endpoints.placeOrder.initiate({ draft, key: 'k' })), draft],
  ['GET /order', () => store.dispatch(endpoints.listMyOrders.initiate(email))],
  ['GET /order', () => store.dispatch(endpoints.listOrders.initiate())],
  ['GET /order', () => store.dispatch(endpoints.countOrders.initiate())],
  ['GET /order', () => store.dispatch(endpoints.listOrderPages.initiate({ q: '', status: 'paid' }))],
  ['GET /order.csv', () => store.dispatch(endpoints.downloadOrders.initiate({}))],
  ['GET /order/counts', () => store.dispatch(endpoints.countOrdersByStatus.initiate())],
  ['POST /order/:id/shipment', () => store.dispatch(endpoints.shipOrder.initiate({ order: ref, shipment })), shipment],
  [
    'PUT /order/:id/shipment',
    () => store.dispatch(endpoints.correctShipment.initiate({ order: ref, shipment })),
    shipment,
  ],
  ['PUT /order/:id/price', () => store.dispatch(endpoints.offerPrice.initiate({ order: ref, price: 1 })), { price: 1 }],
  ['POST /order/:id/refund', () => store.dispatch(endpoints.refundOrder.initiate({ order: ref, ...refund })), refund],
  ['GET /order/:id', () => store.dispatch(endpoints.getOrder.initiate(id))],
  ['DELETE /order/:id', () => store.dispatch(endpoints.deleteOrder.initiate({ ...ref, email }))],
  ['PATCH /order/:id', () => store.dispatch(endpoints.payOrder.initiate(payment)), payment],
  [
    'POST /create-payment-intent',
    () => store.dispatch(endpoints.createPaymentIntent.initiate({ order: ref, totalPrice: 1 })),
    { totalPrice: 1 },
  ],
  ['PUT /user/:email', () => store.dispatch(endpoints.signInUser.initiate(email)), { email }],
  ['DELETE /session', () => store.dispatch(endpoints.endSession.initiate())],
  ['GET /user', () => store.dispatch(endpoints.listUsers.initiate())],
  ['PUT /user/admin/:email', () => store.dispatch(endpoints.makeAdmin.initiate(email))],
  ['GET /admin/:email', () => store.dispatch(endpoints.checkAdmin.initiate(email))],
  ['POST /profile', () => store.dispatch(endpoints.saveProfile.initiate(profile)), profile],
  ['GET /profile/:email', () => store.dispatch(endpoints.getProfile.initiate(email))],
];

const ROWS = API_CALLS.map(
  ([call, dispatch, body]) => [...(call.split(' ') as [string, string]), dispatch, body] as const,
);

type Paths = Record<string, Record<string, unknown>>;

/** @returns the route of the server that equals a call, or else all routes that match it */
async function routesOf(call: string): Promise<string[]> {
  const { paths } = (await (await fetch('/openapi.json')).json()) as { paths: Paths };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path]),
  );
  if (routes.some((route) => route.join(' ') === call)) return [call];
  return routes
    .filter(([method, path]) => RegExp(`^${method} ${path!.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(call))
    .map(([method, path]) => `${method} ${path!.replaceAll(/\{(\w+)\}/g, ':$1')}`);
}

// Clauses A.7.1, A.7.2, A.7.4, A.7.7, A.7.8, A.7.10, A.7.14, A.7.16, B.2, C.1.1
test.each(ROWS)(
  'an endpoint of the API slice calls %s %s, which matches exactly one route of the server',
  async (method, route, dispatch, body) => {
    sent.length = 0;
    await dispatch();
    const calls = sent.map(({ call }) => call);
    expect(calls).toHaveLength(1);
    expect(sent[0]!.body).toEqual(body);
    expect(await routesOf(calls[0]!)).toEqual([`${method} ${route}`]);
  },
);

// Clause B.5
test('no endpoint of the API slice is left out of the comparison with the routes', () => {
  expect(Object.keys(endpoints)).toHaveLength(API_CALLS.length);
});

const SECRET = /\beyJ|_secret_|\bBearer \w|"(token|clientSecret|idToken)"/g;

// Clauses A.3.8, B.6, C.11.5
test('neither the Redux store nor Redux DevTools gets a secret, although API responses contained secrets', async () => {
  const newUser = newEmail();
  const { idToken } = await newAccount(newUser);
  transientTokens.idToken = idToken;
  const { dispatch, getState } = store;
  await dispatch(endpoints.signInUser.initiate(newUser)).unwrap();
  const { _id, name, price, minimumOrderQuantity: totalQuantity } = await sharedTool();
  const orderDraft = { ...draft, toolId: _id, productName: name, totalQuantity };
  const order = await dispatch(endpoints.placeOrder.initiate({ draft: orderDraft, key: newUser })).unwrap();
  await dispatch(endpoints.createPaymentIntent.initiate({ order, totalPrice: price * totalQuantity })).unwrap();
  const secrets = [localStorage.getItem('accessToken'), clientSecrets.get(order._id)];
  expect(secrets).toEqual([expect.stringMatching(/^eyJ/), expect.stringMatching(/_secret_/)]);
  const found = [JSON.stringify(getState()), ...reduxLog].flatMap((text) => text.match(SECRET) ?? []);
  expect(found).toEqual([]);
  expect(reduxLog.some((entry) => entry.includes('createPaymentIntent'))).toBe(true);
});
