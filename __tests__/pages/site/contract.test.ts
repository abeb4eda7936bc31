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
const picture = { 384: 'a', 768: 'b', 1536: 'c' };
const shipment = { carrier: 'a', tracking: '1' };
const review = { description: 'a', ratings: 5, img: '/a.svg' };
const refund = { reason: 'a', restock: false };
const payment = { order: id, transactionId: 'pi_1' };
const ref = { _id: id, toolId: id };
const profile = { address: 'a', phone: '555 0100', linkedIn: 'https://a.example' };
const draft = { productName: 'a', address: 'a', phone: '555 0100', totalQuantity: 1 };

/** The call of each endpoint, the dispatch that makes it and the body that it sends. The compiler asks for new endpoints. */
const CALLS_BY_ENDPOINT: Record<keyof typeof endpoints, [ApiCall, () => unknown, body?: object]> = {
  listTools: ['GET /tool', () => store.dispatch(endpoints.listTools.initiate())],
  getTool: ['GET /tool/:id', () => store.dispatch(endpoints.getTool.initiate(id))],
  addTool: ['POST /tool', () => store.dispatch(endpoints.addTool.initiate(tool)), tool],
  listAllTools: ['GET /tool/all', () => store.dispatch(endpoints.listAllTools.initiate())],
  editTool: [
    'PATCH /tool/:id',
    () => store.dispatch(endpoints.editTool.initiate({ id, change: { price: 2 }, key: 'k' })),
    { price: 2 },
  ],
  addPicture: ['POST /picture', () => store.dispatch(endpoints.addPicture.initiate(picture)), picture],
  downloadTools: ['GET /tool.csv', () => store.dispatch(endpoints.downloadTools.initiate())],
  previewToolImport: [
    'POST /tool/import',
    () => store.dispatch(endpoints.previewToolImport.initiate(new ArrayBuffer(1))),
  ],
  importTools: [
    'POST /tool/import',
    () => store.dispatch(endpoints.importTools.initiate({ file: new ArrayBuffer(1), key: 'k' })),
  ],
  removeReview: ['DELETE /review/:id', () => store.dispatch(endpoints.removeReview.initiate(id))],
  listReviews: ['GET /review', () => store.dispatch(endpoints.listReviews.initiate())],
  addReview: ['POST /review', () => store.dispatch(endpoints.addReview.initiate(review)), review],
  placeOrder: ['POST /order', () => store.dispatch(endpoints.placeOrder.initiate({ draft, key: 'k' })), draft],
  listMyOrders: ['GET /order', () => store.dispatch(endpoints.listMyOrders.initiate(email))],
  listOrders: ['GET /order', () => store.dispatch(endpoints.listOrders.initiate())],
  countOrders: ['GET /order', () => store.dispatch(endpoints.countOrders.initiate())],
  listOrderPages: ['GET /order', () => store.dispatch(endpoints.listOrderPages.initiate({ q: '', status: 'paid' }))],
  downloadOrders: ['GET /order.csv', () => store.dispatch(endpoints.downloadOrders.initiate({}))],
  countOrdersByStatus: ['GET /order/counts', () => store.dispatch(endpoints.countOrdersByStatus.initiate())],
  shipOrder: [
    'POST /order/:id/shipment',
    () => store.dispatch(endpoints.shipOrder.initiate({ order: ref, shipment })),
    shipment,
  ],
  correctShipment: [
    'PUT /order/:id/shipment',
    () => store.dispatch(endpoints.correctShipment.initiate({ order: ref, shipment })),
    shipment,
  ],
  offerPrice: [
    'PUT /order/:id/price',
    () => store.dispatch(endpoints.offerPrice.initiate({ order: ref, price: 1 })),
    { price: 1 },
  ],
  refundOrder: [
    'POST /order/:id/refund',
    () => store.dispatch(endpoints.refundOrder.initiate({ order: ref, refund, key: 'a' })),
    refund,
  ],
  getOrder: ['GET /order/:id', () => store.dispatch(endpoints.getOrder.initiate(id))],
  deleteOrder: ['DELETE /order/:id', () => store.dispatch(endpoints.deleteOrder.initiate({ ...ref, email }))],
  payOrder: ['PATCH /order/:id', () => store.dispatch(endpoints.payOrder.initiate(payment)), payment],
  createPaymentIntent: [
    'POST /create-payment-intent',
    () => store.dispatch(endpoints.createPaymentIntent.initiate({ order: ref, totalPrice: 1 })),
    { totalPrice: 1 },
  ],
  signInUser: ['PUT /user/:email', () => store.dispatch(endpoints.signInUser.initiate(email)), { email }],
  endSession: ['DELETE /session', () => store.dispatch(endpoints.endSession.initiate())],
  listUsers: ['GET /user', () => store.dispatch(endpoints.listUsers.initiate())],
  makeAdmin: ['PUT /user/admin/:email', () => store.dispatch(endpoints.makeAdmin.initiate(email))],
  undoMakeAdmin: ['DELETE /user/admin/:email', () => store.dispatch(endpoints.undoMakeAdmin.initiate(email))],
  checkAdmin: ['GET /admin/:email', () => store.dispatch(endpoints.checkAdmin.initiate(email))],
  saveProfile: ['POST /profile', () => store.dispatch(endpoints.saveProfile.initiate(profile)), profile],
  getProfile: ['GET /profile/:email', () => store.dispatch(endpoints.getProfile.initiate(email))],
};

const ROWS = Object.values(CALLS_BY_ENDPOINT).map(
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

// Clauses A.7.1, A.7.2, A.7.4, A.7.7, A.7.8, A.7.10, A.7.14, A.7.16, B.2, B.5, C.1.1
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
