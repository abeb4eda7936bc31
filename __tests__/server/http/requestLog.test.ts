import { Writable } from 'node:stream';
import pino from 'pino';
import { bearer, newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

type Line = {
  msg: string;
  method?: string;
  route?: string;
  status?: number;
  ms?: number;
  orderId?: string;
  userId?: string;
};

let lines: Line[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(
      ...chunk
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
    );
    done();
  },
});
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop({ logger: pino(sink), env: { DEMO_EXPOSED: 'on' } });
});
beforeEach(() => {
  lines = [];
});
afterAll(() => shop.close());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(shop.origin + path, { headers });
  await response.text();
};
/** Without reads that took 500 ms, which are logged too. A slow machine can need that long for its first page. */
const requests = () =>
  lines
    .filter(({ msg, status, ms }) => msg === 'request' && (status !== 200 || ms! < 500))
    .map(({ route, status }) => [route, status]);

test('every request is logged, except successful reads of public data', async () => {
  const authorization = bearer(await newCustomer(shop));
  for (const path of ['/tool', '/review', '/']) {
    await get(path);
    await get(path, authorization);
  }
  await get('/order');
  await get('/order?email=nobody@mail.example', authorization);
  expect(requests()).toEqual([
    ['/order', 401],
    ['/order', 403],
  ]);
});

test('a log line contains the order id from the URL only if it is valid, and the user of a deletion, but not of a read, and no statements', async () => {
  const customer = await newCustomer(shop);
  const id = '00000000-0000-4000-8000-000000000000';
  await get(`/order/${id}`, bearer(customer));
  await get('/order/nobody@mail.example', bearer(customer));
  await fetch(`${shop.origin}/order/${id}`, { method: 'DELETE', headers: bearer(customer) });
  expect(lines.filter((line) => 'statements' in line)).toEqual([]);
  expect(lines.map(({ route, orderId, userId }) => [route, orderId, userId])).toEqual([
    ['/order/:id', id, undefined],
    ['/order/:id', undefined, undefined],
    ['/order/:id', id, customer.id],
  ]);
});

test.each([
  [
    'does not name cause a single warning',
    '10.0.0.1',
    ['request came through 127.0.0.1, which TRUST_PROXY does not name'],
  ],
  ['names cause no warning', '127.0.0.1', []],
])('requests through a proxy that TRUST_PROXY %s', async (_names, TRUST_PROXY, warnings) => {
  const proxied = await startShop({ logger: pino(sink), env: { DEMO_EXPOSED: 'on', TRUST_PROXY } });
  lines = [];
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (const sent of [{}, headers, headers]) await fetch(`${proxied.origin}/tool`, { headers: sent });
  await proxied.close();
  expect(lines.map(({ msg }) => msg)).toEqual(warnings);
});

test('the network of a request is that of its connection if TRUST_PROXY names no proxy', async () => {
  await get('/order', { 'x-forwarded-for': '203.0.113.9' });
  expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([{ network: '127.0.0.1' }]);
});

test('requests from other machines to a shop in test mode cause a single warning', async () => {
  const localShop = await startShop({ logger: pino(sink) });
  for (const address of ['203.0.113.9', '203.0.113.10']) {
    const response = await fetch(`${localShop.origin}/tool`, { headers: { 'x-forwarded-for': address } });
    expect(response.status).toBe(421);
  }
  expect(lines.filter(({ msg }) => msg.startsWith('request from another machine'))).toHaveLength(1);
  await localShop.close();
});

test('a public read is logged if it fails, and reads by HEAD are treated like those by GET', async () => {
  const query = jest.spyOn(shop.deps.db.$client, 'query');
  for (const [failure, status] of [
    [new Error('a bug'), 500],
    [Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' }), 503],
  ] as const) {
    query.mockImplementation(() => Promise.reject(failure));
    expect((await fetch(`${shop.origin}/readyz`)).status).toBe(status);
  }
  query.mockRestore();
  expect((await fetch(`${shop.origin}/readyz`)).status).toBe(200);
  expect((await fetch(`${shop.origin}/tool`, { method: 'HEAD' })).status).toBe(200);
  expect(requests()).toEqual([
    ['/readyz', 500],
    ['/readyz', 503],
  ]);
  expect(lines.filter((line) => line.msg !== 'request' && 'reqId' in line)).toMatchObject([
    { level: 50, msg: 'unexpected error', reqId: expect.any(String), err: { message: expect.any(String) } },
    { level: 40, msg: 'request failed, a retry may succeed', reqId: expect.any(String), code: 'unavailable' },
  ]);
});
