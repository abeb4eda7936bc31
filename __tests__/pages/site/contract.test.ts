import { apiSlice } from '../../../src/api/apiSlice';
import { clientSecrets, transientTokens } from '../../../src/api/tokens';
import { makeStore } from '../../../src/app/store';
import { newAccount, newEmail } from '../../support/customers';
import { watchCalls } from '../../support/pageCalls';
import type { ApiCall } from '../../support/routes';
import { sharedTool } from '../../support/tools';

const sent = watchCalls();
const store = makeStore({ renew: () => Promise.resolve(false) });
const { endpoints } = apiSlice;
const email = 'somebody@mail.example';
const id = '00000000-0000-4000-8000-000000000000';
const tool = { name: 'a', price: 1, minimumOrderQuantity: 1, availableQuantity: 1, description: 'a', img: '/a.svg' };
const draft = { productName: 'a', address: 'a', phone: '1', totalQuantity: 1 };

/** A.7's table and our own calls: the call, and what makes it. */
const TABLE: [ApiCall, () => unknown][] = [
  ['GET /tool', () => store.dispatch(endpoints.listTools.initiate())],
  ['GET /tool/:id', () => store.dispatch(endpoints.getTool.initiate(id))],
  ['POST /tool', () => store.dispatch(endpoints.addTool.initiate(tool))],
  ['GET /review', () => store.dispatch(endpoints.listReviews.initiate())],
  ['POST /review', () => store.dispatch(endpoints.addReview.initiate({ description: 'a', ratings: 5, img: '/a.svg' }))],
  ['POST /order', () => store.dispatch(endpoints.placeOrder.initiate({ draft, key: 'k' }))],
  ['GET /order', () => store.dispatch(endpoints.listMyOrders.initiate(email))],
  ['GET /order', () => store.dispatch(endpoints.countOrders.initiate())],
  ['GET /order/:id', () => store.dispatch(endpoints.getOrder.initiate(id))],
  ['DELETE /order/:id', () => store.dispatch(endpoints.deleteOrder.initiate({ _id: id, email }))],
  ['PATCH /order/:id', () => store.dispatch(endpoints.payOrder.initiate({ order: id, transactionId: 'pi_1' }))],
  [
    'POST /create-payment-intent',
    () => store.dispatch(endpoints.createPaymentIntent.initiate({ order: id, totalPrice: 1 })),
  ],
  ['PUT /user/:email', () => store.dispatch(endpoints.signUser.initiate(email))],
  ['DELETE /session', () => store.dispatch(endpoints.endSession.initiate())],
  ['GET /user', () => store.dispatch(endpoints.listUsers.initiate())],
  ['PUT /user/admin/:email', () => store.dispatch(endpoints.makeAdmin.initiate(email))],
  ['GET /admin/:email', () => store.dispatch(endpoints.checkAdmin.initiate(email))],
  [
    'POST /profile',
    () => store.dispatch(endpoints.saveProfile.initiate({ address: 'a', phone: '1', linkedIn: 'https://a.example' })),
  ],
  ['GET /profile/:email', () => store.dispatch(endpoints.getProfile.initiate(email))],
];

const ROWS = TABLE.map(([call, ask]) => [...(call.split(' ') as [string, string]), ask] as const);

type Paths = Record<string, Record<string, unknown>>;

/** All of the server's routes that a call could be meant for. */
async function routesOf(call: string): Promise<string[]> {
  const { paths } = (await (await fetch('/openapi.json')).json()) as { paths: Paths };
  const routes = Object.entries(paths).flatMap(([path, by]) => Object.keys(by).map((by) => [by.toUpperCase(), path]));
  return routes
    .filter(([method, path]) => RegExp(`^${method} ${path!.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(call))
    .map(([method, path]) => `${method} ${path!.replaceAll(/\{(\w+)\}/g, ':$1')}`);
}

// Clauses A.7.1, A.7.2, A.7.4, A.7.7, A.7.8, A.7.10, A.7.14, A.7.16, C.1.1
test.each(ROWS)('%s %s is one endpoint of the slice and one route of the server', async (method, route, ask) => {
  sent.length = 0;
  await ask();
  const calls = sent.map(({ call }) => call);
  expect(calls).toHaveLength(1);
  expect(await routesOf(calls[0]!)).toEqual([`${method} ${route}`]);
});

test('the slice declares these and no others', () => {
  expect(Object.keys(endpoints)).toHaveLength(TABLE.length);
});

// Clause C.11.5
test('nothing secret lies in the store, though the answers had secrets', async () => {
  const own = newEmail();
  const { idToken } = await newAccount(own);
  transientTokens.idToken = idToken;
  const { dispatch, getState } = store;
  await dispatch(endpoints.signUser.initiate(own)).unwrap();
  const { _id, name, price, minimumOrderQuantity: totalQuantity } = await sharedTool();
  const wanted = { ...draft, toolId: _id, productName: name, totalQuantity };
  const { _id: order } = await dispatch(endpoints.placeOrder.initiate({ draft: wanted, key: own })).unwrap();
  await dispatch(endpoints.createPaymentIntent.initiate({ order, totalPrice: price * totalQuantity })).unwrap();
  const secrets = [localStorage.getItem('accessToken'), clientSecrets.get(order)];
  expect(secrets).toEqual([expect.stringMatching(/^eyJ/), expect.stringMatching(/_secret_/)]);
  expect(JSON.stringify(getState())).not.toMatch(/\beyJ|_secret_|"(token|clientSecret|idToken|authorization)"/);
});
