import { request } from 'node:http';
import { callShop } from '../../support/api';
import { newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  const checkpoint = () => Promise.reject(new Error('a secret of the server'));
  shop = await startShop({ checkpoint });
});
afterAll(() => shop.close());

/** Sends the path unchanged. `fetch` would normalize it. */
const statusOf = (path: string) =>
  new Promise<number | undefined>((resolve, reject) =>
    request({ host: '127.0.0.1', port: shop.deps.settings.port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(),
  );

// Clause C.4.6
test.each([
  ['/page.html', 404],
  ['/assets/manifest.json', 404],
  ['/assets/../manifest.json', 403],
  ['/assets/%2e%2e/manifest.json', 403],
  ['/assets/..%2fmanifest.json', 404],
  ['/images/../page.html', 403],
  ['/images/%2e%2e/page.html', 403],
  ['/../package.json', 404],
  ['/maps/main.js.map', 404],
  ['/.data/PG_VERSION', 404],
  ['/package.json', 404],
])('a private file is not served: %s', async (path, status) => {
  expect(await statusOf(path)).toBe(status);
});

// Clause C.4.6
test('an internal error reveals no details', async () => {
  const { token } = await newCustomer(shop);
  const draft = { productName: 'Hammer', totalQuantity: 1, address: 'a', phone: 'p' };
  const { status, body, headers } = await callShop(shop.origin, '/order', { method: 'POST', token, body: draft });
  expect([status, headers.get('content-type')]).toEqual([500, 'application/problem+json']);
  expect(body).toEqual({
    type: '/problems/internal',
    title: expect.any(String),
    status: 500,
    code: 'internal',
    detail: 'Something went wrong on our side. Please try again.',
    instance: headers.get('x-request-id'),
  });
  expect(JSON.stringify([body, ...headers])).not.toContain('secret');
});

test.each(['/tool', '/order', '/user/ann@mail.example', '/create-payment-intent'])(
  'a page of another origin cannot read the response of %s',
  async (path) => {
    const origin = 'https://evil.example';
    const preflight = { origin, 'access-control-request-method': 'POST' };
    const { headers } = await fetch(shop.origin + path, { method: 'OPTIONS', headers: preflight });
    const response = await fetch(shop.origin + path, { headers: { origin, accept: 'application/json' } });
    const allowed = [...headers.keys(), ...response.headers.keys()].filter((name) => name.startsWith('access-control'));
    expect(allowed).toEqual([]);
  },
);
