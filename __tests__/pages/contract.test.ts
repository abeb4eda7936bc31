import { apiSlice } from '../../src/api/apiSlice';
import { makeStore } from '../../src/app/store';

const store = makeStore({ idToken: () => Promise.resolve('none'), renewSession: () => Promise.resolve(false) });
const { endpoints } = apiSlice;
const email = 'somebody@mail.example';
const id = '00000000-0000-4000-8000-000000000000';
const tool = { name: 'a', price: 1, minimumOrderQuantity: 1, availableQuantity: 1, description: 'a', img: '/a.svg' };
const draft = { productName: 'a', address: 'a', phone: '1', totalQuantity: 1 };

/** A.7's table, row by row: the call, and what makes it. */
const TABLE: [string, string, () => unknown][] = [
  ['GET', '/tool', () => store.dispatch(endpoints.listTools.initiate())],
  ['GET', '/tool/:id', () => store.dispatch(endpoints.getTool.initiate(id))],
  ['POST', '/tool', () => store.dispatch(endpoints.addTool.initiate(tool))],
  ['GET', '/review', () => store.dispatch(endpoints.listReviews.initiate())],
  [
    'POST',
    '/review',
    () => store.dispatch(endpoints.addReview.initiate({ description: 'a', ratings: 5, img: '/a.svg' })),
  ],
  ['POST', '/order', () => store.dispatch(endpoints.placeOrder.initiate({ draft, key: 'k' }))],
  ['GET', '/order', () => store.dispatch(endpoints.listMyOrders.initiate(email))],
  ['GET', '/order', () => store.dispatch(endpoints.countOrders.initiate())],
  ['GET', '/order/:id', () => store.dispatch(endpoints.getOrder.initiate(id))],
  ['DELETE', '/order/:id', () => store.dispatch(endpoints.deleteOrder.initiate({ _id: id, email }))],
  ['PATCH', '/order/:id', () => store.dispatch(endpoints.payOrder.initiate({ order: id, transactionId: 'pi_1' }))],
  [
    'POST',
    '/create-payment-intent',
    () => store.dispatch(endpoints.createPaymentIntent.initiate({ order: id, totalPrice: 1 })),
  ],
  ['PUT', '/user/:email', () => store.dispatch(endpoints.signUser.initiate(email))],
  ['GET', '/user', () => store.dispatch(endpoints.listUsers.initiate())],
  ['PUT', '/user/admin/:email', () => store.dispatch(endpoints.makeAdmin.initiate(email))],
  ['GET', '/admin/:email', () => store.dispatch(endpoints.checkAdmin.initiate(email))],
  [
    'POST',
    '/profile',
    () => store.dispatch(endpoints.saveProfile.initiate({ address: 'a', phone: '1', linkedIn: 'https://a.example' })),
  ],
  ['GET', '/profile/:email', () => store.dispatch(endpoints.getProfile.initiate(email))],
];

async function answered(method: string, route: string): Promise<number> {
  const text = await (await fetch('/metrics')).text();
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(`forgeline_http_request_seconds_count{method="${method}",route="${route}",`));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test.each(TABLE)('%s %s is one endpoint of the slice and one route of the server', async (method, route, ask) => {
  const before = await answered(method, route);
  await ask();
  expect(await answered(method, route)).toBeGreaterThan(before);
});

test('the slice declares these and no others', () => {
  expect(Object.keys(endpoints)).toHaveLength(TABLE.length);
});

test('nothing secret lies in the store after all of them', () => {
  expect(JSON.stringify(store.getState())).not.toMatch(/\beyJ|_secret_|"(token|clientSecret|idToken|authorization)"/);
});
